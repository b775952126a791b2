import { textTable } from '../table.ts'
import type { Measured } from './measure.ts'
import type { signingCosts } from './signing.ts'
import type { Sized } from './sized.ts'

/** The results at one distance. */
export interface AtDistance {
  oneWayMs: number
  measured: readonly Measured[]
  sized: readonly Sized[]
}

/** The tables of all distances, and what signing costs. */
export function report(distances: readonly AtDistance[], signing: ReturnType<typeof signingCosts>): string {
  return [
    'From asking for an order to its arrival at the exchange, and to what the exchange says became of it; µs.',
    'Ratios are to the first row of a burst: what the executor sends by. 4 warm: as the pool keeps them.',
    '',
    ...distances.flatMap(({ oneWayMs, measured }) => [tableOf(oneWayMs, measured), '']),
    'An order that what is held calls for, from asking what is held to its arrival; µs. From memory: how many were.',
    '',
    ...distances.flatMap(({ oneWayMs, sized }) => [sizedTable(oneWayMs, sized), '']),
    `Signing a request takes ${signing.hmac.toFixed(1)} µs by HMAC and ${signing.ed25519.toFixed(1)} µs by Ed25519, which a session that is logged in saves.`,
    '',
  ].join('\n')
}

function sizedTable(oneWayMs: number, sized: readonly Sized[]): string {
  const header = [titleOf(oneWayMs), 'ratio p50', 'ratio p99', 'arrived p50', 'p99', 'orders', 'from memory']
  return textTable(
    header,
    sized.map(({ market, way, arrived, fromMemory }) => {
      const base = sized.find((one) => one.market === market)?.arrived ?? arrived
      const ratios = [arrived.p50 / base.p50, arrived.p99 / base.p99].map((ratio) => ratio.toFixed(2))
      const figures = [arrived.p50, arrived.p99, arrived.count, fromMemory]
      return [`${market}, ${way}`, ...ratios, ...figures.map((figure) => figure.toFixed(0))]
    }),
  )
}

function titleOf(oneWayMs: number): string {
  return oneWayMs === 0 ? 'on one machine' : `${oneWayMs} ms each way`
}

function tableOf(oneWayMs: number, measured: readonly Measured[]): string {
  const header = [
    titleOf(oneWayMs),
    'ratio p50',
    'ratio p99',
    'arrived p50',
    'p99',
    'settled p50',
    'p99',
    'orders',
  ]
  return textTable(
    header,
    measured.map(({ market, size, way, arrived, settled }) => {
      const base = measured.find((one) => one.market === market && one.size === size)?.arrived ?? arrived
      const ratios = [arrived.p50 / base.p50, arrived.p99 / base.p99].map((ratio) => ratio.toFixed(2))
      const figures = [arrived.p50, arrived.p99, settled.p50, settled.p99, arrived.count]
      return [`${market}, ${size} at once, ${way}`, ...ratios, ...figures.map((figure) => figure.toFixed(0))]
    }),
  )
}
