import { readdirSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import path from 'node:path'
import { recordedPid } from '@tripline/testkit/infra/process-record'

/** The nice value of the product: about a tenth of the processor time of what it gives way to. */
const nice = 10

/**
 * Has a product give way to the paper exchange and the sender of alerts, which would be on other machines: an exchange that
 * is starved by those that trade there answers late, as none does.
 */
export function giveWay(dataDir: string): void {
  const folder = path.join(dataDir, 'pids')
  const own = readdirSync(folder).filter((file) => file !== 'paper-exchange.json')
  for (const pid of own.flatMap((file) => recordedPid(path.join(folder, file)) ?? [])) lower(pid)
}

/** Linux keeps a priority for each thread, and one for all processes of a session where these are scheduled as a group. */
function lower(pid: number): void {
  for (const thread of readdirSync(`/proc/${pid}/task`)) setPriority(Number(thread), nice)
  try {
    writeFileSync(`/proc/${pid}/autogroup`, nice.toString())
  } catch {
    // Not grouped.
  }
}
