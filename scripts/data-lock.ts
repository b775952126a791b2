import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { recordedPid, runningPid } from '@tripline/testkit/infra/process-record'

/** A data folder that this process holds. */
interface HeldFolder {
  /** Lets a launcher that comes now wait for the end of this one. */
  noteStopping(): void
  release(): void
}

// A launcher whose npm was killed notices it within this time, and stops.
const noticeMs = 1500
const stopWithinMs = 60_000

/** Takes a data folder for this process, after one that is stopping; throws when another launcher runs on it. */
export async function lockDataFolder(
  dataDir: string,
  onWait: () => void = () => undefined,
): Promise<HeldFolder> {
  mkdirSync(dataDir, { recursive: true })
  const file = path.join(dataDir, 'launcher.json')
  const own = {
    pid: process.pid,
    words: [path.basename(process.argv[1] ?? ''), ...process.argv.slice(2)],
  }
  const record = JSON.stringify(own)
  if (!writeNew(file, record)) {
    await formerToEnd(file, onWait)
    const owner = await runningPid(file)
    if (owner !== undefined) throw new Error(refusal(dataDir, owner))
    // The former launcher was killed. Of two that see this at once, the later rename wins, and both look again.
    replace(file, record)
    if (recordedPid(file) !== process.pid) throw new Error(refusal(dataDir, recordedPid(file)))
  }
  return {
    noteStopping: () => {
      try {
        replace(file, JSON.stringify({ ...own, isStopping: true }))
      } catch {
        // On a full disk the record stays: a launcher that comes now is refused and does not wait, and this one stops.
      }
    },
    release: () => rmSync(file, { force: true }),
  }
}

/** Settles once the former launcher has ended, or shows no sign of ending. */
async function formerToEnd(file: string, onWait: () => void): Promise<void> {
  const noticeBy = performance.now() + noticeMs
  const stopBy = performance.now() + stopWithinMs
  let isReported = false
  while ((await runningPid(file)) !== undefined) {
    const isEnding = isStopping(file)
    if (performance.now() > (isEnding ? stopBy : noticeBy)) return
    if (isEnding && !isReported) onWait()
    isReported ||= isEnding
    await sleep(100)
  }
}

function isStopping(file: string): boolean {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).isStopping === true
  } catch {
    return false
  }
}

/** Replaces a record in one step: a launcher that reads it meanwhile must not find it empty and take the folder. */
function replace(file: string, text: string): void {
  const fresh = `${file}.${process.pid}`
  writeFileSync(fresh, text)
  renameSync(fresh, file)
}

function writeNew(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx' })
    return true
  } catch {
    return false
  }
}

function refusal(dataDir: string, pid: number | undefined): string {
  const port = runningPort(dataDir)
  return `Tripline already runs on ${dataDir} (process ${pid}${port ? `, http://localhost:${port}` : ''}).
Stop it first, or start a second one with TRIPLINE_DATA, PORT and PAPER_PORT set to other values.`
}

function runningPort(dataDir: string): number | undefined {
  try {
    return JSON.parse(readFileSync(path.join(dataDir, 'ports.json'), 'utf8')).gateway
  } catch {
    return undefined
  }
}
