import type { Market } from '../src/domain/order/market.ts'
import type { OpenedVenue } from '../src/venue/venue.ts'
import type { Account, Line, Sent } from './exchange.ts'
import type { Judge } from './judge.ts'
import { type Lag, measureLag, mostLagMs } from './lag.ts'
import type { Size } from './size.ts'
import { pause } from './transport.ts'

/** The context of a run's steps. */
export interface Run<Id extends string> {
  line: Line
  judge: Judge<Id>
  account: Account
  /** The account as the product opens it. */
  product: OpenedVenue
  rules: Market
  size: Size
  /** Gives a client id of the probe's own. */
  newId: () => string
  /** Notes an order before it is sent, so that the last step knows of it. */
  note: (clientId: string) => Sent
  lags: Lag[]
  /** The client id of the market order that bought what later steps sell. */
  bought?: string
  /** The sellable part of that. */
  sellable: string
  /** For how long a trigger beside the market is waited for; 0 tries none. */
  triggerMs: number
}

/** A part of a run, by what it tries. */
export interface Step<Context> {
  name: string
  run: (context: Context) => Promise<void>
}

type LagId = 'lag.look-up' | 'lag.lists' | 'lag.account'

/** Measures how late a read shows something, and judges it by what we assume. */
export async function watchRead<Id extends string>(
  { lags, judge, line }: Run<Id | LagId>,
  id: LagId,
  [read, of]: readonly [read: string, of: string],
  since: number,
  isShown: () => Promise<boolean>,
): Promise<void> {
  const lag = await measureLag(read, of, since, line.signal, isShown)
  lags.push(lag)
  const { shownMs, misses } = lag
  const shown = shownMs === undefined ? 'never' : `${shownMs} ms after the answer`
  const missed = misses === 0 ? 'at the first read' : `after ${misses} reads without it`
  judge.check(
    id,
    shownMs !== undefined && (misses === 0 || shownMs <= mostLagMs),
    `${read} showed ${of} ${shown}, ${missed}`,
  )
}

/** The first event, also of those that came before, of which it is true; undefined where none comes in time. */
export async function eventOf<Event>(
  events: readonly Event[],
  isIt: (event: Event) => boolean,
  wait: () => Promise<void>,
  withinMs = 5000,
): Promise<Event | undefined> {
  const until = performance.now() + withinMs
  for (;;) {
    const found = events.find(isIt)
    if (found !== undefined || performance.now() > until) return found
    await wait()
  }
}

/** Reads until it is so, or some seconds are over; returns what was read last. */
export async function readUntil<Value>(
  { line }: Pick<Run<never>, 'line'>,
  read: () => Promise<Value>,
  isSo: (value: Value) => boolean,
): Promise<Value> {
  for (let waitMs = 50; ; waitMs *= 1.6) {
    const value = await read()
    if (isSo(value) || waitMs > 1500) return value
    await pause(waitMs, line.signal)
  }
}
