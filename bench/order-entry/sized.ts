import { setTimeout as sleep } from 'node:timers/promises'
import { absolute, isLess, isZero } from '@tripline/proto/decimal'
import { type Closers, closers as newClosers } from '@tripline/testkit/closers'
import { paperExchange, type TestPaper } from '@tripline/testkit/paper-exchange'
import { waitUntil } from '@tripline/testkit/wait-until'
import type { AccountReading } from '../../services/executor/src/domain/account/account.ts'
import type { ReadingScope } from '../../services/executor/src/domain/account/reading-scope.ts'
import type { OrderPlan } from '../../services/executor/src/domain/order/order.ts'
import { openBinanceFutures } from '../../services/executor/src/venue/binance/futures.ts'
import { openBinanceSpot } from '../../services/executor/src/venue/binance/spot.ts'
import { openBybitLinear } from '../../services/executor/src/venue/bybit/linear.ts'
import type { OpenedVenue, Venue, VenueOptions } from '../../services/executor/src/venue/venue.ts'
import { readJournal, takeJournal } from '../alert-to-order/paper.ts'
import { microsecondsBetween, nowNs } from '../alert-to-order/wall-clock.ts'
import { type Summary, summarize } from '../statistics.ts'
import { newAccount, nextOrder, renewableConnections } from './accounts.ts'
import { atDistance } from './distance.ts'

/** The results of orders that are sized by the account. */
export interface Sized {
  market: string
  way: string
  /** From asking what is held to the order's arrival at the exchange, in µs. */
  arrived: Summary
  /** For how many of them the account was known already. */
  fromMemory: number
}

/** A market of such orders. */
interface Market {
  name: string
  base: string
  open: (options: VenueOptions) => Promise<OpenedVenue>
  /** The request that is made if the account is not known. */
  accountPath: string
  orderFor: (reading: AccountReading) => OrderPlan
  /** The rest before each order, and the reduction in their number for it. */
  restMs: number
  share: number
  /** Accounts have a socket for orders each, which the first order of the warm ones opens. */
  hasOwnSocket?: boolean
}

// Opens a position if there is none, and closes the one there is.
function openOrClose({ position }: AccountReading): OrderPlan {
  if (isZero(position)) return nextOrder('0.010', 'buy')
  return { ...nextOrder(absolute(position), position.startsWith('-') ? 'buy' : 'sell'), reduceOnly: true }
}

const futures: Market = {
  name: 'Binance USDⓈ-M',
  base: '/binance-futures',
  open: openBinanceFutures,
  accountPath: '/fapi/v3/account',
  orderFor: openOrClose,
  ...{ restMs: 25, share: 1 },
}

const linear: Market = {
  name: 'Bybit linear',
  base: '/bybit',
  open: openBybitLinear,
  accountPath: '/v5/account/wallet-balance',
  orderFor: openOrClose,
  // The venue allows an account ten orders a second.
  ...{ restMs: 150, share: 4, hasOwnSocket: true },
}

const spot: Market = {
  name: 'Binance spot',
  base: '/binance',
  open: openBinanceSpot,
  accountPath: '/api/v3/account',
  // Sells while there is as much as in the beginning, and buys while there is less.
  orderFor: ({ position }) => nextOrder('0.01000', isLess(position, '1') ? 'buy' : 'sell'),
  ...{ restMs: 25, share: 1 },
}

/** Every market with accounts that are known. */
export const sizedMarkets: readonly Market[] = [futures, spot, linear]

const symbol = 'BTCUSDT'
// Prices that stand still are reported once, and asked for after that.
const tickMs = 100
const warmOrders = 40

const ways = [
  { name: 'asked', scope: undefined },
  { name: 'known', scope: 'position' },
] as const
type Way = (typeof ways)[number]

interface Shot {
  clientOrderId: string
  sentNs: bigint
  isKnown: boolean
}

/** Measures orders that what is held calls for, by an account that is asked and by one that is known, in turns. */
export async function measureSized(
  market: Market,
  oneWayMs: number,
  orders: number,
  closers: Closers,
): Promise<Sized[]> {
  const own = newClosers()
  await closers.add(own.close)
  const paper = await paperExchange({ PAPER_TICK_MS: `${tickMs}` })
  await own.add(async () => await paper.stop())
  const shooter = await openShooter(market, paper, await atDistance(paper.url, oneWayMs, own), own)
  for (let order = 0; order < warmOrders; order++) await shoot(shooter, ways[order % 2] ?? ways[0])
  await waitUntil(shooter.isOnSocket, { deadlineMs: 30_000, awaited: 'the socket for orders' })
  await takeJournal(paper.url)
  const shots = new Map<Way, Shot[]>(ways.map((way) => [way, []]))
  for (let round = 0; round < orders / market.share; round++) {
    for (const way of round % 2 === 0 ? ways : ways.toReversed())
      shots.get(way)?.push(await shoot(shooter, way))
  }
  const arrivals = new Map(
    (await readJournal(paper.url)).map(({ clientOrderId, receivedNs }) => [clientOrderId, receivedNs]),
  )
  await own.close()
  return ways.map((way) => summed(market, way, shots.get(way) ?? [], arrivals))
}

/** A client whose account is known. */
interface Shooter {
  market: Market
  venue: Venue
  isOnSocket: () => boolean
  /** Returns how often the account was asked for so far. */
  timesAsked: () => number
}

async function openShooter(
  market: Market,
  paper: TestPaper,
  url: string,
  closers: Closers,
): Promise<Shooter> {
  const { dispatcher, ...connections } = renewableConnections()
  await closers.add(connections.close)
  let asked = 0
  const counted = dispatcher.compose((dispatch) => (options, handler) => {
    if (options.path.startsWith(`${market.base}${market.accountPath}`)) asked++
    return dispatch(options, handler)
  })
  const account = await newAccount(paper, `${url}${market.base}`, { ...connections, dispatcher: counted })
  const { client: parent } = await market.open(account)
  const { streamUrl } = account
  const { venue, stop } = await market.open({
    ...account,
    parent,
    ordersUrl: streamUrl,
    pricesUrl: streamUrl,
  })
  await closers.add(async () => stop?.())
  const isOnSocket = market.hasOwnSocket ? () => true : connections.orderSockets.areGood
  const shooter = { market, venue, isOnSocket, timesAsked: () => asked }
  // An account stays known only while nothing is traded.
  await waitUntil(async () => (await readAs(shooter, 'position')).isKnown, {
    deadlineMs: 30_000,
    awaited: 'the account',
  })
  return shooter
}

async function readAs(
  { market, venue, timesAsked }: Shooter,
  scope: ReadingScope | undefined,
): Promise<{ account: AccountReading; isKnown: boolean }> {
  const before = timesAsked()
  const reading = await venue.read(symbol, { scope })
  if (reading.outcome !== 'read') throw new Error(`${market.name}: ${JSON.stringify(reading)}`)
  return { account: reading.account, isKnown: timesAsked() === before }
}

function summed(
  market: Market,
  { name }: Way,
  shots: readonly Shot[],
  arrivals: ReadonlyMap<string | null, bigint>,
): Sized {
  const took = shots.map(({ clientOrderId, sentNs }) => {
    const receivedNs = arrivals.get(clientOrderId)
    if (receivedNs === undefined) throw new Error(`The order ${clientOrderId} did not arrive`)
    return microsecondsBetween(sentNs, receivedNs)
  })
  return {
    market: market.name,
    way: name,
    arrived: summarize(took),
    fromMemory: shots.filter(({ isKnown }) => isKnown).length,
  }
}

async function shoot(shooter: Shooter, { scope, name }: Way): Promise<Shot> {
  await sleep(shooter.market.restMs)
  const sentNs = nowNs()
  const { account, isKnown } = await readAs(shooter, scope)
  const order = shooter.market.orderFor(account)
  const placement = await shooter.venue.place(order, () => undefined)
  if (placement.outcome !== 'done') throw new Error(`${name}: ${JSON.stringify(placement)}`)
  return { clientOrderId: order.clientOrderId, sentNs, isKnown }
}
