import { hasRoom } from '@tripline/testkit/infra/disk-room'

const checkMs = 2000
const remindMs = 60_000

/**
 * Watches the disk of the data folder and says while it is full, once a minute, and when it has room again. Returns
 * what to call with the failure of a write: other reasons than a full disk are said as they are.
 */
export function reportFullDisk(dataDir: string, say: (text: string) => void): (error: Error) => void {
  const saidAt = new Map<string, number>()
  const sayOnceAMinute = (text: string) => {
    const now = performance.now()
    if (now - (saidAt.get(text) ?? -remindMs) < remindMs) return
    saidAt.set(text, now)
    say(text)
  }
  const full = `The disk of ${dataDir} is full. Until it has room again alerts are answered with 503, and lines of logs are lost.`
  const check = () => {
    if (!hasRoom(dataDir)) sayOnceAMinute(full)
    else if (saidAt.delete(full)) say(`The disk of ${dataDir} has room again.`)
  }
  setInterval(check, checkMs).unref()
  return (error) => {
    if (Reflect.get(error, 'code') === 'ENOSPC') sayOnceAMinute(full)
    else sayOnceAMinute(`A log in ${dataDir} cannot be written: ${error.message}`)
  }
}
