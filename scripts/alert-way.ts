import { styleText } from 'node:util'
import type { Performance } from '@tripline/proto/http/webhook'

/** One stage of an alert's way, in ms since its receipt. */
export interface Stage {
  name: string
  meaning: string
  tookMs: number
  endedMs: number
}

const stages = [
  ['read', 'read_ms', 'the message is parsed and checked'],
  ['durable', 'queue_ms', 'the stream has it for good, and the executor has taken it'],
  ['check', 'check_ms', 'every block is checked against markets and settings'],
  ['plan', 'plan_ms', 'the order is sized, signed and on the wire'],
  ['venue', 'venue_ms', 'the exchange has acknowledged it'],
  ['settle', 'settle_ms', 'the last command is finished'],
] as const

/** The stages that an alert went through, from its receipt to the answer; one that did not happen is left out. */
export function wayOf(performance: Performance): Stage[] {
  const way: Stage[] = [{ name: 'receive', meaning: 'intake has the whole request', tookMs: 0, endedMs: 0 }]
  let endedMs = 0
  for (const [name, key, meaning] of stages) {
    const tookMs = performance[key]
    if (tookMs === undefined) continue
    endedMs += tookMs
    way.push({ name, meaning, tookMs, endedMs })
  }
  const totalMs = Math.max(performance.total_ms, endedMs)
  const answer = { name: 'answer', meaning: 'the result is back at intake and is answered' }
  return [...way, { ...answer, tookMs: totalMs - endedMs, endedMs: totalMs }]
}

const barWidth = 24

/** The way as aligned lines; with bars where somebody looks at a terminal. */
export function describeWay(way: readonly Stage[], withBars: boolean): string {
  const totalMs = way.at(-1)?.endedMs ?? 0
  const header = styleText('dim', '     at ms   took ms')
  const lines = way.map(({ name, meaning, tookMs, endedMs }) => {
    const times = `${endedMs.toFixed(2).padStart(10)}${tookMs.toFixed(2).padStart(10)}`
    const bar = withBars ? `  ${styleText('cyan', barOf(endedMs - tookMs, endedMs, totalMs))}` : ''
    return `${times}${bar}  ${styleText('bold', name.padEnd(8))} ${meaning}`
  })
  return [header, ...lines].join('\n')
}

/** The part of the whole between two moments; what took any time is at least one character wide. */
function barOf(fromMs: number, toMs: number, totalMs: number): string {
  const column = (ms: number): number => (totalMs === 0 ? 0 : Math.round((ms / totalMs) * barWidth))
  const start = Math.min(column(fromMs), barWidth - 1)
  const length = toMs > fromMs ? Math.max(1, column(toMs) - start) : 0
  return `${' '.repeat(start)}${'█'.repeat(length)}`.padEnd(barWidth)
}
