import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { runCommand } from './run-command.ts'

/** A process that wrote itself down, so that a later launcher knows whether it still runs. */
interface ProcessRecord {
  pid: number
  /** The end of its command line, by which it is distinguished from a stranger with the same number. */
  words: string[]
}

const killAfterMs = 10_000

/** Writes down a process of ours; on a disk that takes no more it stays unknown, which ends nothing. */
export function writeRecord(file: string, record: ProcessRecord): void {
  try {
    writeFileSync(file, JSON.stringify(record))
  } catch {
    removeRecord(file)
  }
}

/** Forgets a process that has ended. */
export function removeRecord(file: string): void {
  rmSync(file, { force: true })
}

/** The number that was recorded, whether or not that process runs. */
export function recordedPid(file: string): number | undefined {
  return readRecord(file)?.pid
}

/** The number of the recorded process if it still runs. */
export async function runningPid(file: string): Promise<number | undefined> {
  const record = readRecord(file)
  return record && (await isRunning(record)) ? record.pid : undefined
}

/** Ends the recorded process, politely first; nothing happens when it does not run. */
export async function endRecorded(file: string): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const pid = await runningPid(file)
    if (pid === undefined) return
    process.kill(pid, signal)
    for (let waitedMs = 0; waitedMs < killAfterMs && (await runningPid(file)); waitedMs += 50) await sleep(50)
  }
}

function readRecord(file: string): ProcessRecord | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

async function isRunning({ pid, words }: ProcessRecord): Promise<boolean> {
  try {
    const line = await runCommand('ps', ['-ww', '-o', 'args=', '-p', String(pid)])
    return line.trim().endsWith(words.join(' '))
  } catch {
    return false
  }
}
