import { add, negate, subtract } from '@tripline/proto/decimal'
import type { ClientOrderId } from '@tripline/proto/id'
import type { Holding } from '../src/domain/account/account.ts'
import {
  type AccountUpdate,
  type AccountView,
  afterAccountUpdate,
  afterAnswer,
  afterBase,
  afterDown,
  afterFill,
  afterLive,
  afterOrder,
  afterSending,
  type FillUpdate,
  noView,
  type OrderState,
} from '../src/domain/account/view.ts'
import type { VenueOrder } from '../src/domain/order/order.ts'

export const coins = ['BTC', 'USDT', 'BNB'] as const
type Coin = (typeof coins)[number]

/** An event of a model account of coins, or of the reports on it. */
export type Happening =
  /** An order takes so much of the book at once, in one or two executions. */
  | { do: 'trade'; by: By; side: Side; quantity: number; parts: 1 | 2 }
  /** An order rests, and locks what it gives. */
  | { do: 'rest'; by: By; side: Side; quantity: number }
  /** The oldest order that rests is canceled, or filled. */
  | { do: 'cancel'; by: By }
  | { do: 'take' }
  /** A coin comes in from elsewhere; the balance is reported before that or after it. */
  | { do: 'deposit'; coin: Coin; quantity: number; isReportedFirst: boolean }
  | { do: 'answer' }
  | { do: 'lose' }
  | { do: 'deliverUpdate' }
  | { do: 'deliverOrder' }
  | { do: 'ask' }
  /** The answer to what was asked shows how things were so long before it was asked, or now. */
  | { do: 'read'; lagMs: number }
  | { do: 'cut' }
  | { do: 'connect' }
  | { do: 'pass'; ms: number }

type By = 'us' | 'hand'
type Side = 'buy' | 'sell'
type CoinBalances = Readonly<Record<Coin, { total: string; locked: string }>>

interface Resting {
  clientOrderId: string
  by: By
  side: Side
  quantity: string
}

interface Answer extends Pick<VenueOrder, 'filled' | 'status'> {
  clientOrderId: string
  at: number
  version: number
}

/** An account of coins that is reported by a stream that lags, orders and balances each in their own order. */
export interface CoinsModel {
  happen: (happening: Happening) => void
  /** The view of it by the rules under test. */
  view: () => AccountView
  now: () => number
  /** Its holdings of a coin, in order, since our own orders are known to have come this far. */
  sinceKnown: (coin: Coin) => readonly Holding[]
}

interface World {
  view: AccountView
  now: number
  orders: number
  isLive: boolean
  history: { state: CoinBalances; at: number }[]
  known: number
  resting: Resting[]
  answers: Answer[]
  accountUpdates: AccountUpdate[]
  orderUpdates: { order: OrderState; fill?: FillUpdate }[]
  asked: { askedAt: number; updatesBefore: number } | undefined
}

const side = 'both'
const start: CoinBalances = {
  BTC: { total: '1000000000', locked: '0' },
  USDT: { total: '1000000000', locked: '0' },
  BNB: { total: '1000000000', locked: '0' },
}

/** An account with some of each coin, and of which nothing is known. */
export function createCoins(): CoinsModel {
  const world: World = {
    view: noView,
    now: 1_000_000,
    orders: 0,
    isLive: false,
    history: [{ state: start, at: 0 }],
    known: 0,
    resting: [],
    answers: [],
    accountUpdates: [],
    orderUpdates: [],
    asked: undefined,
  }
  return {
    happen: (happening) => {
      world.now++
      happen(world, happening)
    },
    view: () => world.view,
    now: () => world.now,
    sinceKnown: (coin) => world.history.slice(world.known).map(({ state }) => holdingOf(state, coin)),
  }
}

function holdingOf(state: CoinBalances, coin: Coin): Holding {
  const { total, locked } = state[coin]
  return { coin, total, free: subtract(total, locked) }
}

function happen(world: World, happening: Happening): void {
  switch (happening.do) {
    case 'trade':
      trade(world, happening)
      break
    case 'rest':
      rest(world, happening)
      break
    case 'cancel':
      cancel(world, happening.by)
      break
    case 'deposit':
      deposit(world, happening)
      break
    case 'read':
      read(world, happening.lagMs)
      break
    case 'pass':
      world.now += happening.ms
      break
    default:
      acts[happening.do](world)
  }
}

type Plain = Exclude<Happening['do'], 'trade' | 'rest' | 'cancel' | 'deposit' | 'read' | 'pass'>

const acts: Readonly<Record<Plain, (world: World) => void>> = {
  take,
  answer,
  lose: ({ answers }) => void answers.shift(),
  deliverUpdate,
  deliverOrder,
  ask: (world) => {
    world.asked = { askedAt: world.now, updatesBefore: world.view.updates }
  },
  cut,
  connect,
}

function begin(world: World, by: By): string {
  const clientOrderId = `${by} ${++world.orders}`
  const order = { clientOrderId: clientOrderId as ClientOrderId, symbol: 'BTCUSDT' }
  if (by === 'us') world.view = afterSending(world.view, order, world.now)
  return clientOrderId
}

function trade(world: World, happening: Extract<Happening, { do: 'trade' }>): void {
  const { by, parts } = happening
  const clientOrderId = begin(world, by)
  const quantity = `${happening.quantity}`
  reportStanding(world, clientOrderId, '0', false, given(happening.side))
  let filled = '0'
  for (let part = 1; part <= parts; part++) {
    filled = add(filled, quantity)
    fill(world, { clientOrderId, side: happening.side, quantity, filled, isOver: part === parts })
  }
  if (by === 'us') owe(world, clientOrderId, filled, 'filled')
}

function rest(world: World, { by, side: way, quantity }: Extract<Happening, { do: 'rest' }>): void {
  const clientOrderId = begin(world, by)
  world.resting.push({ clientOrderId, by, side: way, quantity: `${quantity}` })
  lock(world, given(way), `${quantity}`)
  reportStanding(world, clientOrderId, '0', false, given(way))
  reportBalances(world, [given(way)])
  if (by === 'us') owe(world, clientOrderId, '0', 'open')
}

function cancel(world: World, by: By): void {
  const order = world.resting.find((one) => one.by === by)
  if (order === undefined) return
  world.resting = world.resting.filter((one) => one !== order)
  const coin = given(order.side)
  lock(world, coin, negate(order.quantity))
  reportStanding(world, order.clientOrderId, '0', true, coin)
  reportBalances(world, [coin])
  if (by === 'us') owe(world, order.clientOrderId, '0', 'canceled')
}

function take(world: World): void {
  const order = world.resting.shift()
  if (order === undefined) return
  lock(world, given(order.side), negate(order.quantity))
  fill(world, { ...order, filled: order.quantity, isOver: true })
}

function deposit(
  world: World,
  { coin, quantity, isReportedFirst }: Extract<Happening, { do: 'deposit' }>,
): void {
  change(world, { [coin]: `${quantity}` })
  if (isReportedFirst) reportBalances(world, [coin])
  if (world.isLive)
    world.accountUpdates.push({ at: world.now, isWhole: false, wallets: new Map(), positions: [] })
  if (!isReportedFirst) reportBalances(world, [coin])
}

/** The coin that an order gives. */
function given(way: Side): Coin {
  return way === 'sell' ? 'BTC' : 'USDT'
}

interface Execution {
  clientOrderId: string
  side: Side
  quantity: string
  filled: string
  isOver: boolean
}

/** One BTC for one USDT, and one BNB for the venue. */
function fill(world: World, { clientOrderId, side: way, quantity, filled, isOver }: Execution): void {
  const [base, quote] = way === 'buy' ? [quantity, negate(quantity)] : [negate(quantity), quantity]
  change(world, { BTC: base, USDT: quote, BNB: '-1' })
  const besides = [
    { symbol: 'USDT', side, change: quote },
    { symbol: 'BNB', side, change: '-1' },
  ] as const
  const fill: FillUpdate = {
    at: world.now,
    symbol: 'BTC',
    side,
    clientOrderId,
    change: base,
    filled,
    besides,
  }
  if (world.isLive) world.orderUpdates.push({ order: { clientOrderId, filled, isOver }, fill })
  reportBalances(world, coins)
}

function reportStanding(
  { isLive, orderUpdates, now }: World,
  clientOrderId: string,
  filled: string,
  isOver: boolean,
  coin: Coin,
): void {
  const locks = { symbol: coin, at: now }
  if (isLive) orderUpdates.push({ order: { clientOrderId, filled, isOver, locks } })
}

function reportBalances({ isLive, accountUpdates, now, history }: World, changed: readonly Coin[]): void {
  const state = history.at(-1)?.state ?? start
  if (isLive)
    accountUpdates.push({
      at: now,
      isWhole: true,
      wallets: new Map(),
      positions: positionsOf(state, changed),
    })
}

function positionsOf(state: CoinBalances, of: readonly Coin[]) {
  return of.map((coin) => {
    const { total, free } = holdingOf(state, coin)
    return { symbol: coin, side, quantity: total, entryPrice: null, free } as const
  })
}

function change(world: World, by: Partial<Record<Coin, string>>): void {
  const now = world.history.at(-1)?.state ?? start
  const changed = (coin: Coin) => ({ ...now[coin], total: add(now[coin].total, by[coin] ?? '0') })
  const state = { BTC: changed('BTC'), USDT: changed('USDT'), BNB: changed('BNB') }
  world.history.push({ state, at: world.now })
}

function lock(world: World, coin: Coin, more: string): void {
  const now = world.history.at(-1)?.state ?? start
  const { total, locked } = now[coin]
  world.history.push({ state: { ...now, [coin]: { total, locked: add(locked, more) } }, at: world.now })
}

function owe(world: World, clientOrderId: string, filled: string, status: VenueOrder['status']): void {
  world.answers.push({ clientOrderId, filled, status, at: world.now, version: world.history.length - 1 })
}

function answer(world: World): void {
  const next = world.answers.shift()
  if (next === undefined) return
  const { at: updatedAt, version, ...order } = next
  world.view = afterAnswer(world.view, 'BTCUSDT', { ...order, updatedAt }, world.now)
  world.known = Math.max(world.known, version)
}

function deliverUpdate(world: World): void {
  const update = world.accountUpdates.shift()
  if (update !== undefined) world.view = afterAccountUpdate(world.view, update, world.now)
}

function deliverOrder(world: World): void {
  const next = world.orderUpdates.shift()
  if (next?.fill !== undefined) world.view = afterFill(world.view, next.fill, world.now)
  if (next !== undefined) world.view = afterOrder(world.view, next.order, world.now)
}

function read(world: World, lagMs: number): void {
  const { asked, history, now } = world
  if (asked === undefined) return
  world.asked = undefined
  const shownAt = lagMs === 0 ? now : asked.askedAt - lagMs
  const state = history.findLast(({ at }) => at <= shownAt)?.state ?? start
  const { askedAt, updatesBefore } = asked
  const shown = { askedAt, venueAskedAt: askedAt, wallets: new Map(), positions: positionsOf(state, coins) }
  world.view = afterBase(world.view, shown, updatesBefore)
}

function cut(world: World): void {
  if (!world.isLive) return
  world.isLive = false
  world.accountUpdates = []
  world.orderUpdates = []
  world.view = afterDown(world.view)
}

function connect(world: World): void {
  if (world.isLive) return
  world.isLive = true
  world.view = afterLive(world.view, world.now)
}
