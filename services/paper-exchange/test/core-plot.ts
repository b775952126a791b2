import fc from 'fast-check'
import { positionModeOf } from '../src/domain/account.ts'
import type { Venue } from '../src/domain/market.ts'
import type { OrderRequest, PositionSide } from '../src/domain/order.ts'
import type { Trigger } from '../src/domain/trigger.ts'
import type { Exchange } from '../src/exchange.ts'
import type { Entry } from '../src/store/ledger.ts'
import { around, marketIn, usdt } from './core-rig.ts'

// biome-ignore lint/style/noProcessEnv: who runs this chooses its length and may repeat its seed.
const { TRIPLINE_SEED, TRIPLINE_LONG } = process.env

/** The seed of the sequences: the same in every run, unless one is given or the run is a long one. */
export const SEED = Number(TRIPLINE_SEED ?? (TRIPLINE_LONG ? Date.now() % 1_000_000_007 : 280_384_110))

const VENUES: readonly Venue[] = ['binance-spot', 'binance-futures', 'bybit-spot', 'bybit-linear']
const LINEAR: readonly Venue[] = ['binance-futures', 'bybit-linear']
const trader = fc.nat(2)
const side = fc.constantFrom('buy' as const, 'sell' as const)
const positionSide = fc.constantFrom<PositionSide>('long', 'short')
// Prices lie a few dollars around 60,000, so that orders meet each other and the house.
const offset = fc.integer({ min: -40, max: 40 })
const lots = fc.constantFrom(1, 5, 20, 20, 100, 300, 9_000)

const placing = (venues: readonly Venue[], triggers: readonly Waits[]) =>
  fc.record({
    kind: fc.constant('place' as const),
    ...{ trader, side, positionSide, lots, offset },
    venue: fc.constantFrom(...venues),
    type: fc.constantFrom('market' as const, 'limit' as const),
    timeInForce: fc.constantFrom(...(['gtc', 'gtc', 'ioc', 'fok', 'postOnly'] as const)),
    reduceOnly: fc.constantFrom(false, false, false, true),
    closePosition: fc.boolean(),
    trigger: fc.constantFrom(...triggers),
    attached: fc.constantFrom(...(['none', 'none', 'none', 'full', 'partial'] as const)),
    byValue: fc.boolean(),
  })
const pinning = (percents: readonly number[], spread: number) =>
  fc.record({
    kind: fc.constant('pin' as const),
    percent: fc.constantFrom(...percents),
    spread: fc.constant(spread),
    offset,
  })
const choosing = (venues: readonly Venue[], kinds: readonly Choosing[]) =>
  fc.record({
    kind: fc.constantFrom(...kinds),
    ...{ trader, lots, offset, positionSide },
    venue: fc.constantFrom(...venues),
    leverage: fc.constantFrom(1, 5, 20, 50, 100),
  })

type Waits = 'none' | 'last' | 'mark' | 'trailing'
type Choosing =
  | 'cancel'
  | 'amend'
  | 'leverage'
  | 'isolate'
  | 'hedge'
  | 'margin'
  | 'protect'
  | 'list'
  | 'reset'
  | 'move'
type Placing = ReturnType<typeof placing> extends fc.Arbitrary<infer Value> ? Value : never
type Pinning = ReturnType<typeof pinning> extends fc.Arbitrary<infer Value> ? Value : never
type Choice = ReturnType<typeof choosing> extends fc.Arbitrary<infer Value> ? Value : never
export type Step = Placing | Pinning | Choice

export type Plot = Readonly<{
  runs: number
  funds: readonly number[]
  spread: number
  step: fc.Arbitrary<Step>
}>

function plot(
  runs: number,
  funds: readonly number[],
  spread: number,
  parts: readonly [number, fc.Arbitrary<Step>][],
): Plot {
  return {
    runs,
    funds,
    spread,
    step: fc.oneof(...parts.map(([weight, arbitrary]) => ({ weight, arbitrary }))),
  }
}

const ALL: readonly Choosing[] = [
  'cancel',
  'amend',
  'leverage',
  'isolate',
  'hedge',
  'margin',
  'protect',
  'list',
  'reset',
  'move',
]
const WAITS: readonly Waits[] = ['none', 'none', 'none', 'none', 'last', 'mark', 'trailing']

/** Everything at once; accounts that prices ruin; accounts that trade with each other in a wide spread. */
export const PLOTS: Readonly<Record<string, Plot>> = {
  'everything at once': plot(4_000, [300_000, 8_000, 900_000], 0, [
    [8, placing(VENUES, WAITS)],
    [2, pinning([-40, -12, -3, 0, 0, 2, 9, 60], 0)],
    [5, choosing(VENUES, ALL)],
  ]),
  'prices that ruin': plot(3_000, [3_000, 2_000, 6_000], 0, [
    [6, placing(LINEAR, ['none', 'none', 'none', 'mark'])],
    [3, pinning([-40, -12, -6, 0, 6, 12, 60], 0)],
    [3, choosing(LINEAR, ['leverage', 'isolate', 'isolate', 'hedge', 'margin', 'protect', 'cancel'])],
    [1, placing(['bybit-spot', 'binance-spot'], ['none'])],
  ]),
  'a book of their own': plot(3_000, [500_000, 80_000, 900_000], 1_500, [
    [8, placing(VENUES, ['none', 'none', 'none', 'last'])],
    [1, pinning([-1, 0, 1], 1_500)],
    [2, choosing(VENUES, ['cancel', 'amend', 'amend', 'list', 'protect'])],
  ]),
}

export type Scene = { exchange: Exchange; entries: readonly Entry[]; now: number; lastName: number }

const THOUSANDTH = 3

// A lot is a thousandth of a bitcoin on every venue.
function quantityOf(venue: Venue, lots: number): bigint {
  return BigInt(lots) * 10n ** BigInt(marketIn(venue).quantityPrecision - THOUSANDTH)
}

function priceAt(scene: Scene, venue: Venue, offset: number): bigint {
  const { bid, ask } = scene.exchange.quotes.of(marketIn(venue).id)
  const price = (bid + ask) / 2n + BigInt(offset) * 1000n
  return price - (price % marketIn(venue).tick)
}

function triggerOf(scene: Scene, { trigger, venue, offset, side }: Placing): Trigger | undefined {
  if (trigger === 'none') return undefined
  const when = offset > 0 ? 'rises' : 'falls'
  if (trigger !== 'trailing')
    return { by: trigger === 'mark' ? 'mark' : 'last', when, price: priceAt(scene, venue, offset) }
  const follows = side === 'sell' ? 'falls' : 'rises'
  return { by: 'last', when: follows, price: 0n, trailing: { callback: { rate: 10_000n } } }
}

// Returns the position side that the account's mode asks for.
function sideFor(
  { entries }: Scene,
  { trader, venue, positionSide }: Pick<Placing, 'trader' | 'venue' | 'positionSide'>,
): PositionSide {
  const account = entries[trader]?.account
  return account && positionModeOf(account, marketIn(venue)) === 'hedge' ? positionSide : 'net'
}

function requestFrom(scene: Scene, it: Placing): OrderRequest {
  const isLinear = marketIn(it.venue).kind === 'linear'
  const trigger = triggerOf(scene, it)
  const closes = isLinear && it.closePosition && trigger !== undefined
  const byValue = !isLinear && it.byValue && it.type === 'market'
  const leg = (by: number) => ({ by: 'last' as const, price: priceAt(scene, it.venue, it.offset + by) })
  const up = it.side === 'buy' ? 50 : -50
  scene.lastName += 1
  return {
    market: marketIn(it.venue).id,
    clientOrderId: `t${scene.lastName}`,
    side: it.side,
    type: closes ? 'market' : it.type,
    timeInForce: it.timeInForce,
    quantity: closes || byValue ? 0n : quantityOf(it.venue, it.lots),
    price: it.type === 'limit' && !closes ? priceAt(scene, it.venue, it.offset) : 0n,
    reduceOnly: isLinear && it.reduceOnly && !closes,
    positionSide: sideFor(scene, it),
    ...(byValue && { quoteQuantity: usdt(it.lots * 60) }),
    ...(closes && { closePosition: true }),
    ...(trigger && { trigger }),
    ...(it.attached !== 'none' &&
      it.venue.startsWith('bybit') &&
      !trigger && {
        attached: {
          mode: it.attached === 'full' ? 'full' : 'partial',
          takeProfit: leg(up),
          stopLoss: leg(-up),
        },
      }),
  }
}

function choose(scene: Scene, entry: Entry, it: Choice): void {
  const { exchange, now } = scene
  const market = marketIn(it.venue)
  const ids = [...entry.orders.keys()]
  const known = entry.orders.get(ids[it.lots % (ids.length || 1)] ?? 0)
  const linear = market.kind === 'linear'
  if (it.kind === 'cancel' && known) exchange.cancel(entry, known, now)
  if (it.kind === 'amend' && known) {
    const to =
      it.offset > 0
        ? { quantity: quantityOf(it.venue, it.lots) }
        : { price: priceAt(scene, it.venue, it.offset + 20) }
    exchange.amend(entry, known, to, now)
  }
  if (it.kind === 'leverage' && linear) exchange.setLeverage(entry, market.id, it.leverage, now)
  if (it.kind === 'isolate' && linear)
    exchange.setMarginMode(entry, market.id, it.offset > 0 ? 'isolated' : 'cross', now)
  if (it.kind === 'hedge' && linear)
    exchange.setPositionMode(entry, it.venue, it.offset > 0 ? 'hedge' : 'one-way', now)
  if (it.kind === 'margin' && linear)
    exchange.addMargin(entry, market.id, sideFor(scene, it), usdt(it.offset), now)
  if (it.kind === 'reset') exchange.reset(entry, new Map([['USDT', usdt(20_000)]]), now)
  if (it.kind === 'move') exchange.move(now)
  if (it.kind === 'protect' && linear) protect(scene, entry, it)
  if (it.kind === 'list' && it.venue === 'binance-spot') list(scene, entry, it)
}

function protect({ exchange, now, ...scene }: Scene, entry: Entry, it: Choice): void {
  const price = (by: number) => priceAt({ exchange, now, ...scene }, it.venue, by)
  exchange.protect(
    entry,
    marketIn(it.venue).id,
    sideFor({ exchange, now, ...scene }, it),
    {
      mode: it.lots > 10 ? 'full' : 'partial',
      takeProfit: { by: 'last', price: price(it.offset), quantity: quantityOf(it.venue, it.lots) },
      stopLoss: it.lots === 1 ? 'none' : { by: 'mark', price: price(-it.offset) },
      ...(it.lots > 100 && { trailing: { distance: 100_000n } }),
    },
    now,
  )
}

function list(scene: Scene, entry: Entry, it: Choice): void {
  const isSale = it.offset > 0
  const away = Math.abs(it.offset) + 1
  scene.lastName += 2
  const leg = {
    market: marketIn(it.venue).id,
    side: isSale ? ('sell' as const) : ('buy' as const),
    quantity: quantityOf(it.venue, it.lots),
    timeInForce: 'gtc' as const,
    reduceOnly: false,
    positionSide: 'net' as const,
  }
  const [limit, stop] = [
    priceAt(scene, it.venue, isSale ? away : -away),
    priceAt(scene, it.venue, isSale ? -away : away),
  ]
  const first = {
    ...leg,
    clientOrderId: `t${scene.lastName}`,
    type: 'limit' as const,
    price: limit,
    timeInForce: 'postOnly' as const,
  }
  const trigger = { by: 'last' as const, when: isSale ? ('falls' as const) : ('rises' as const), price: stop }
  const second = {
    ...leg,
    clientOrderId: `t${scene.lastName}s`,
    type: 'limit' as const,
    price: stop,
    trigger,
  }
  exchange(scene).placeList(
    entry,
    { market: leg.market, clientListId: 'l', legs: [first, second] },
    scene.now,
  )
}

const exchange = (scene: Scene): Exchange => scene.exchange

/** Does a step. */
export function perform(scene: Scene, it: Step): void {
  scene.now += 7
  if (it.kind === 'pin') {
    const middle = 60_000 + 600 * it.percent + it.offset
    scene.exchange.pin('BTCUSDT', around(middle, it.spread), scene.now)
  } else {
    const entry = scene.entries[it.trader]
    if (!entry) return
    if (it.kind === 'place') scene.exchange.place(entry, requestFrom(scene, it), scene.now)
    else choose(scene, entry, it)
  }
}

/** Accounts with the plot's funds at a venue. */
export function begin({ funds, spread }: Plot, exchange: Exchange): Scene {
  const entries = funds.map((amount) =>
    exchange.open(
      new Map([
        ['USDT', usdt(amount)],
        ['BTC', 200_000_000n],
      ]),
      1,
    ),
  )
  if (spread > 0) exchange.pin('BTCUSDT', around(60_000, spread), 1)
  return { exchange, entries, now: 1, lastName: 0 }
}
