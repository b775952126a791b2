import { add, negate } from '@tripline/proto/decimal'
import type { ClientOrderId } from '@tripline/proto/id'
import {
  type AccountBase,
  type AccountUpdate,
  type AccountView,
  afterAccountUpdate,
  afterAnswer,
  afterBase,
  afterDown,
  afterFill,
  afterLive,
  afterRefusal,
  afterSending,
  type FillUpdate,
  noView,
} from '../src/domain/account/view.ts'

export const symbols = ['BTCUSDT', 'ETHUSDT'] as const
export type ModelSymbol = (typeof symbols)[number]

/** An event of a model account, or of the reports on it. */
export type Happening =
  | {
      do: 'trade'
      by: 'us' | 'hand'
      symbol: ModelSymbol
      quantity: number
      parts: 1 | 2
      reportsEachPart: boolean
    }
  | { do: 'answer' }
  | { do: 'refuse'; symbol: ModelSymbol }
  | { do: 'lose' }
  /** The venue reports unchanged values again. */
  | { do: 'sayAgain'; symbol: ModelSymbol }
  | { do: 'deliverUpdate' }
  | { do: 'deliverFill' }
  | { do: 'ask' }
  /** The answer to what was asked shows how things were so long before it was asked, or now. */
  | { do: 'read'; lagMs: number }
  | { do: 'cut' }
  | { do: 'connect' }
  | { do: 'pass'; ms: number }

/**
 * An account that is reported by a stream that lags, each kind of event in its order, and by readings that
 * are on their way for a while.
 */
export interface AccountModel {
  happen: (happening: Happening) => void
  /** The view of it by the rules under test. */
  view: () => AccountView
  now: () => number
  /** The positions that a symbol had, one after the other. */
  history: (symbol: ModelSymbol) => readonly string[]
  /** Since which of them our own orders are known to have filled. */
  knownSince: (symbol: ModelSymbol) => number
}

interface Sent {
  clientOrderId: string
  symbol: ModelSymbol
  filled: string
  at: number
  /** Which position it left. */
  version: number
}

interface World {
  view: AccountView
  now: number
  orders: number
  isLive: boolean
  /** Whether the venue numbers the changes of a symbol; otherwise their times show which came first. */
  isNumbered: boolean
  histories: Record<ModelSymbol, string[]>
  /** When each of them came to be. */
  moments: Record<ModelSymbol, number[]>
  known: Record<ModelSymbol, number>
  sent: Sent[]
  accountUpdates: AccountUpdate[]
  fills: FillUpdate[]
  asked: { askedAt: number; updatesBefore: number } | undefined
}

/** An account that is flat, and of which nothing is known. */
export function createAccount(isNumbered = false): AccountModel {
  const world: World = {
    view: noView,
    now: 1_000_000,
    orders: 0,
    isLive: false,
    isNumbered,
    histories: { BTCUSDT: ['0'], ETHUSDT: ['0'] },
    moments: { BTCUSDT: [0], ETHUSDT: [0] },
    known: { BTCUSDT: 0, ETHUSDT: 0 },
    sent: [],
    accountUpdates: [],
    fills: [],
    asked: undefined,
  }
  return {
    happen: (happening) => {
      world.now++
      happen(world, happening)
    },
    view: () => world.view,
    now: () => world.now,
    history: (symbol) => world.histories[symbol],
    knownSince: (symbol) => world.known[symbol],
  }
}

function happen(world: World, happening: Happening): void {
  switch (happening.do) {
    case 'trade':
      trade(world, happening)
      break
    case 'refuse':
      refuse(world, happening.symbol)
      break
    case 'sayAgain':
      if (world.isLive) world.accountUpdates.push(accountUpdateOf(world, happening.symbol))
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

type Plain = Exclude<Happening['do'], 'trade' | 'refuse' | 'sayAgain' | 'read' | 'pass'>

const acts: Readonly<Record<Plain, (world: World) => void>> = {
  answer,
  lose: ({ sent }) => void sent.shift(),
  deliverUpdate,
  deliverFill,
  ask: (world) => {
    world.asked = { askedAt: world.now, updatesBefore: world.view.updates }
  },
  cut,
  connect,
}

function trade(
  world: World,
  { by, symbol, quantity, parts, reportsEachPart }: Extract<Happening, { do: 'trade' }>,
): void {
  const clientOrderId = `${by} ${++world.orders}`
  if (by === 'us')
    world.view = afterSending(
      world.view,
      { clientOrderId: clientOrderId as ClientOrderId, symbol },
      world.now,
    )
  const change = quantity < 0 ? negate(`${-quantity}`) : `${quantity}`
  let filled = '0'
  for (let part = 1; part <= parts; part++) {
    const history = world.histories[symbol]
    history.push(add(history.at(-1) ?? '0', change))
    world.moments[symbol].push(world.now)
    filled = add(filled, `${Math.abs(quantity)}`)
    const place = { symbol, side: 'both', clientOrderId } as const
    const fill: FillUpdate = { ...stampOf(world, symbol), ...place, change, filled }
    if (world.isLive) world.fills.push(fill)
    if (world.isLive && (reportsEachPart || part === parts))
      world.accountUpdates.push(accountUpdateOf(world, symbol))
  }
  const version = world.histories[symbol].length - 1
  if (by === 'us') world.sent.push({ clientOrderId, symbol, filled, at: world.now, version })
}

function stampOf({ now, isNumbered, histories }: World, symbol: ModelSymbol): { at: number; step?: number } {
  return { at: now, ...(isNumbered && { step: histories[symbol].length - 1 }) }
}

function accountUpdateOf(world: World, symbol: ModelSymbol): AccountUpdate {
  const position = {
    symbol,
    side: 'both',
    quantity: world.histories[symbol].at(-1) ?? '0',
    entryPrice: '1',
  } as const
  return { ...stampOf(world, symbol), isWhole: true, wallets: new Map(), positions: [position] }
}

function answer(world: World): void {
  const order = world.sent.shift()
  if (order === undefined) return
  const { clientOrderId, symbol, filled, at, version } = order
  world.view = afterAnswer(
    world.view,
    symbol,
    { clientOrderId, filled, status: 'filled', updatedAt: at },
    world.now,
  )
  world.known[symbol] = Math.max(world.known[symbol], version)
}

function refuse(world: World, symbol: ModelSymbol): void {
  const clientOrderId = `us ${++world.orders}`
  world.view = afterSending(world.view, { clientOrderId: clientOrderId as ClientOrderId, symbol }, world.now)
  world.view = afterRefusal(world.view, clientOrderId)
}

function deliverUpdate(world: World): void {
  const update = world.accountUpdates.shift()
  if (update !== undefined) world.view = afterAccountUpdate(world.view, update, world.now)
}

function deliverFill(world: World): void {
  const fill = world.fills.shift()
  if (fill !== undefined) world.view = afterFill(world.view, fill, world.now)
}

function read(world: World, lagMs: number): void {
  const { asked, histories, moments, now } = world
  if (asked === undefined) return
  world.asked = undefined
  const shownAt = lagMs === 0 ? now : asked.askedAt - lagMs
  const positions = symbols.map((symbol) => {
    const version = moments[symbol].findLastIndex((at) => at <= shownAt)
    return { symbol, side: 'both', quantity: histories[symbol][version] ?? '0', entryPrice: '1' } as const
  })
  const base: AccountBase = {
    askedAt: asked.askedAt,
    venueAskedAt: asked.askedAt,
    wallets: new Map(),
    positions: positions.filter(({ quantity }) => quantity !== '0'),
  }
  world.view = afterBase(world.view, base, asked.updatesBefore)
}

function cut(world: World): void {
  if (!world.isLive) return
  world.isLive = false
  world.accountUpdates = []
  world.fills = []
  world.view = afterDown(world.view)
}

function connect(world: World): void {
  if (world.isLive) return
  world.isLive = true
  world.view = afterLive(world.view, world.now)
}
