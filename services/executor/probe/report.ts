import { isZero } from '@tripline/proto/decimal'
import type { Findings } from './probe.ts'

/** Returns the findings as a table of assumptions and the times of reads. */
export function describe({ verdicts, lags, cleanUp, folder, files, wasStopped }: Findings): string {
  const width = Math.max(...verdicts.map(({ id }) => id.length))
  // Of a run that was stopped, all that it did not reach says nothing.
  const shown = verdicts.filter(({ verdict }) => !wasStopped || verdict !== 'not tried')
  const rows = shown.flatMap(({ id, verdict, claim, source, seen }) => {
    const row = `  ${verdict.padEnd(10)}${id.padEnd(width + 2)}${claim}`
    const indent = ' '.repeat(width + 14)
    return verdict === 'holds'
      ? [row]
      : [row, `${indent}${verdict === 'differs' ? 'seen' : 'why'}: ${seen}`, `${indent}from: ${source}`]
  })
  const times = lags.map(({ read, of, shownMs, misses }) => {
    const shown = shownMs === undefined ? 'never' : `${shownMs} ms`
    return `  ${misses === 0 ? 'within' : '      '} ${shown.padStart(8)}  ${read} showed ${of}${misses === 0 ? '' : `, after ${misses} reads without it`}`
  })
  return [
    ...['', 'Assumptions', ...rows, '', 'From an answer to the read that showed it', ...times, ''],
    ...[
      leftBehind(cleanUp),
      `${files} recordings in ${folder}/recording`,
      summaryOf({ verdicts, wasStopped }),
    ],
  ].join('\n')
}

function leftBehind({ canceled, closed, left, dust }: Findings['cleanUp']): string {
  const did = `Tidied up: ${canceled} orders canceled${closed === '0' ? '' : `, ${closed} traded back`}.`
  const rest = isZero(dust) ? '' : ` ${dust} of the coin stay, which is below the least order.`
  if (left.length === 0) return `${did}${rest} Nothing is left open.`
  return `${did}${rest}\nLEFT AT THE EXCHANGE, end it by hand:\n${left.map((item) => `  ${item}`).join('\n')}`
}

function summaryOf({ verdicts, wasStopped }: Pick<Findings, 'verdicts' | 'wasStopped'>): string {
  const count = (word: string): number => verdicts.filter(({ verdict }) => verdict === word).length
  const counts = `${count('holds')} hold, ${count('differs')} differ, ${count('not tried')} not tried`
  return wasStopped ? `Stopped before its end: ${counts}` : counts
}

/** 0 where all holds, 1 where something differs, 2 where the run did not come to its end or something is left. */
export function exitCodeOf({ verdicts, cleanUp, wasStopped }: Findings): number {
  if (wasStopped || cleanUp.left.length > 0) return 2
  return verdicts.some(({ verdict }) => verdict === 'differs') ? 1 : 0
}
