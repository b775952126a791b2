import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { recordedPid, runningPid } from './infra/process-record.ts'

/** Takes a data folder for this process; throws when another launcher runs on it. Answers how to give it back. */
export async function lockDataFolder(dataDir: string): Promise<() => void> {
  mkdirSync(dataDir, { recursive: true })
  const file = path.join(dataDir, 'launcher.json')
  const record = JSON.stringify({
    pid: process.pid,
    words: [path.basename(process.argv[1] ?? ''), ...process.argv.slice(2)],
  })
  if (!writeNew(file, record)) {
    const owner = await runningPid(file)
    if (owner !== undefined) throw new Error(refusal(dataDir, owner))
    // The former launcher was killed. Of two that see this at once, the later rename wins, and both look again.
    const own = `${file}.${process.pid}`
    writeFileSync(own, record)
    renameSync(own, file)
    if (recordedPid(file) !== process.pid) throw new Error(refusal(dataDir, recordedPid(file)))
  }
  return () => rmSync(file, { force: true })
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
