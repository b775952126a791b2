import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { Paused } from './trading.ts'

/** A line of the file: somebody is about to be paused, or all that were before are let go. */
const Line = z.union([Paused, z.object({ resumedAt: z.iso.datetime() })])
type Line = z.infer<typeof Line>

/** Notes who is about to be paused, behind what the file has. */
export function notePausing(file: string, paused: Paused): void {
  append(file, paused)
}

/** Notes that all who were paused trade again as they did: what comes later in the file is another pause. */
export function noteResumed(file: string, at: number): void {
  append(file, { resumedAt: new Date(at).toISOString() })
}

/** Returns those still paused, in the order of the file; refuses a file with nobody. */
export function readPaused(file: string): Paused[] {
  if (!existsSync(file)) throw new Error(`There is no ${file}`)
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Line.parse(JSON.parse(line)))
  const last = lines.findLast((line) => 'resumedAt' in line)
  const since = lines.slice(last === undefined ? 0 : lines.indexOf(last) + 1)
  const paused = since.flatMap((line) => ('userId' in line ? line : []))
  if (paused.length > 0) return paused
  throw new Error(
    last === undefined
      ? `Nobody is noted in ${file}`
      : `${file} was resumed at ${last.resumedAt}, and nobody was paused with it since`,
  )
}

function append(file: string, line: Line): void {
  appendFileSync(file, `${JSON.stringify(line)}\n`)
}
