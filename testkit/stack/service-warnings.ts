import { appendFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { levelNumber, readableLine } from './log-line.ts'

const shown = 15

/** The file in which the services of products for tests leave their warnings, as set for this process or its parent. */
const file = process.env['SERVICE_WARNINGS']

/** Keeps a line of a service that warns, for the end of the run of tests; other lines, or without a file, not. */
export function keepWarning(service: string, line: string): void {
  if (file === undefined) return
  const text = readableLine(service, line, 0, levelNumber('warn'))
  if (text !== undefined) appendFileSync(file, `${text}\n`)
}

/** Returns what services warned of most often, with how often: lines that differ in their numbers and ids count as one. */
export async function commonWarnings(from: string): Promise<string[]> {
  const text = await readFile(from, 'utf8').catch(() => '')
  const counts = new Map<string, number>()
  for (const line of text.split('\n').filter(Boolean)) {
    const alike = line.replace(/[0-9a-f-]*\d[0-9a-f-]*/g, '#').slice(0, 200)
    counts.set(alike, (counts.get(alike) ?? 0) + 1)
  }
  const often = [...counts].sort(([, one], [, other]) => other - one)
  return often.slice(0, shown).map(([line, count]) => `${count} x ${line}`)
}
