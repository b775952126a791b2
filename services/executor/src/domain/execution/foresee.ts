import type { Command } from '@tripline/proto/alert-tree'
import { add, isLess, isZero, negate, subtract } from '@tripline/proto/decimal'
import { onlyExits } from '@tripline/proto/exit'
import type { AlertId } from '@tripline/proto/id'
import type { AccountReading } from '../account/account.ts'
import type { KnownReading } from '../account/known-reading.ts'
import { type LastEntries, withoutCanceled } from '../account/last-entry.ts'
import { isExitOf } from '../account/permit.ts'
import { type ReadingScope, scopeOf, widest } from '../account/reading-scope.ts'
import { groupIn } from '../group/group.ts'
import type { Decision } from '../order/attempt.ts'
import type { Failure } from '../order/ending.ts'
import type { Market } from '../order/market.ts'
import { isImmediate } from '../order/order.ts'
import { type OrderCommand, placesOrders } from '../resolve/command.ts'
import { type CommandContext, decide } from '../resolve/decide.ts'
import { unreserved } from '../sizing/spot.ts'
import {
  accountAfterEnding,
  accountFilled,
  accountKeeping,
  accountResting,
  tradesAtOnce,
} from './account-after.ts'

/** A refusal that is certain before anything of its block is sent. */
export interface Foreseen {
  command: number
  code: ForeseenCode
  message: string
}

/** Basis for judging commands: their market, and the possible states of the account. */
export interface ForeseenScene {
  market: Market
  /** One of these is the account; none where nothing is known of it. */
  accounts: readonly AccountReading[]
  /** Nothing but the price is known: refusals that depend on the account are not certain. */
  isPriceAlone?: boolean
}

const priceCodes = ['E507', 'E508', 'E509', 'E511'] as const
const sizeCodes = ['E501', 'E502', 'E503', 'E504'] as const
const certainCodes = [...priceCodes, ...sizeCodes, ...(['E404', 'E505', 'E510', 'E512'] as const)]
/** The codes of refusals that can be certain. */
export type ForeseenCode = (typeof certainCodes)[number]

// More possible accounts than this are not judged.
const mostAccounts = 16

const noAlert = '00000000000000000000000000' as AlertId

/** True where an entry stands before other orders with no wait in between: the orders behind it are worth a check before it. */
export function mayBeForeseen(commands: readonly Command[], market: Market): boolean {
  if (commands.length < 2) return false
  const orders = beforeWait(commands).filter(placesOrders)
  const entry = orders.findIndex((command) => !onlyExits(command, market.kind))
  return entry !== -1 && entry < orders.length - 1
}

/** Returns how much of an account has to be known to judge these commands. */
export function scopeToForesee(commands: readonly Command[], { kind }: Pick<Market, 'kind'>): ReadingScope {
  return widest(
    beforeWait(commands)
      .filter(placesOrders)
      .map((command) => scopeOf(command, kind)),
  )
}

/** The commands that run at the present price. */
function beforeWait(commands: readonly Command[]): readonly Command[] {
  const wait = commands.findIndex(({ type }) => type === 'wait')
  return wait === -1 ? commands : commands.slice(0, wait)
}

/**
 * Returns the first command behind an entry that is refused however the orders before it go, of which those that wait away
 * from the market are not filled yet as it comes; undefined where none is, or where that is not certain. Money, and limits
 * that may change, are left out.
 */
export function foreseeRefusal(
  commands: readonly Command[],
  { market, accounts, isPriceAlone = false }: ForeseenScene,
): Foreseen | undefined {
  let hasEntry = false
  let ways = accounts.map(withoutMargin)
  for (const [index, command] of beforeWait(commands).entries()) {
    const isOpen =
      ways.length > 0 && ways.length <= mostAccounts && !ways.some((way) => lacks(way, command, market))
    if (!isOpen || changesMode(command)) return undefined
    if (command.type === 'cancel') ways = ways.flatMap((way) => canceledWays(way, market))
    if (!placesOrders(command)) continue
    const place = {
      ...{ alertId: noAlert, block: 0, command: index },
      market,
      before: commands.slice(0, index),
    }
    const outcomes = ways.map((way) => outcomeOf(command, place, way))
    const placed = outcomes.filter((outcome) => 'after' in outcome)
    if (placed.length < outcomes.length) {
      const codes = isPriceAlone ? codesByPrice(command, ways, market) : certainCodes
      const denied = ways.filter((_way, which) => !('after' in (outcomes[which] ?? {})))
      const isCertain = hasEntry && denied.every((way) => isDenied(command, place, way, codes))
      if (!isCertain) return undefined
      if (placed.length === 0) return foreseenOf(index, outcomes[0])
      // A refusal stops all behind it: the end is known to be bad once no way gets through.
      if (isPriceAlone) return undefined
    }
    hasEntry ||= placed.every(({ opens }) => opens)
    ways = placed.flatMap(({ after }) => after)
  }
  return undefined
}

/**
 * The codes that are certain by the price alone: those of sizes where these are written, and no share of anything; or a
 * share of coins that are all for orders before it, however many there are.
 */
function codesByPrice(
  command: OrderCommand,
  ways: readonly AccountReading[],
  market: Market,
): readonly string[] {
  const isAllReserved = (way: AccountReading): boolean =>
    way.holdings.length > 0 && isLess(unreserved(market, way), market.quantityStep)
  if (ways.every(isAllReserved)) return [...priceCodes, 'E501']
  const sized = command.type === 'oneCancelsOther' ? command.legs : [command]
  const isWritten = sized.every(({ amount, position }) => {
    const basis = amount?.basis
    return position === undefined && (basis === 'base' || basis === 'quote')
  })
  return isWritten ? [...priceCodes, ...sizeCodes] : priceCodes
}

/**
 * Returns the possible accounts where nothing but the price is known: flat, or on the side of the bot's last entry.
 * None where that is not known, since an order may be an exit then.
 */
export function accountsAt(
  prices: KnownReading['prices'],
  market: Market,
  lastEntries: LastEntries,
): AccountReading[] {
  const { both: lastEntry } = lastEntries
  if (lastEntry === undefined && market.kind === 'linear') return []
  const unheld: AccountReading = {
    coin: market.quote,
    holdings: [],
    equity: '0',
    available: '0',
    position: '0',
    entryPrice: null,
    unrealizedPnl: '0',
    settings: null,
    lastEntries,
    ...prices,
  }
  if (market.kind === 'spot') {
    const coins = { coin: market.base, total: '1', free: '1' }
    return [unheld, { ...unheld, holdings: [coins], position: '1' }]
  }
  // The likely account comes first, and gives the reason of a refusal.
  return [{ ...unheld, position: lastEntry?.side === 'sell' ? '-1' : '1' }, unheld]
}

/** Money is not what is judged: no order takes any. */
function withoutMargin(reading: AccountReading): AccountReading {
  return { ...reading, settings: null }
}

/** True where a side of the market has no price, or the size of the command depends on values that were not requested. */
function lacks(
  { equity, available, ...prices }: AccountReading,
  command: Command,
  { kind }: Market,
): boolean {
  if (isZero(prices.bid) || isZero(prices.ask)) return true
  if (!placesOrders(command)) return false
  const scope = scopeOf(command, kind)
  return (scope !== 'position' && equity === null) || (scope === 'all' && available === null)
}

function changesMode(command: Command): boolean {
  return command.type === 'exchangeSettings' && command.positionMode !== undefined
}

/** Returns how the account may stand behind a cancel: which orders wait, and lock something or would enter, is not known. */
function canceledWays(reading: AccountReading, market: Market): AccountReading[] {
  const { lastEntries = {} } = reading
  const isAnyWaiting = Object.values(lastEntries).some(({ waiting }) => waiting !== undefined)
  const entered = { ...reading, lastEntries: withoutCanceled(lastEntries, () => true) }
  const ways = isAnyWaiting ? [reading, entered] : [reading]
  return [...ways, ...ways.map((way) => unlocked(way, market))]
}

/** The account once its orders lock nothing. */
function unlocked(reading: AccountReading, { kind, quote }: Market): AccountReading {
  if (kind !== 'spot') return reading
  const holdings = reading.holdings.map((holding) => ({ ...holding, free: holding.total }))
  const available = holdings.find(({ coin }) => coin === quote)?.free ?? reading.available
  return { ...reading, holdings, available, reserved: '0' }
}

/** True where the command is refused: now, and were the market one spread higher or lower. */
function isDenied(
  command: OrderCommand,
  place: CommandContext,
  reading: AccountReading,
  codes: readonly string[],
): boolean {
  return nearby(reading).every((moved) => {
    const outcome = outcomeOf(command, place, moved)
    return 'code' in outcome && codes.includes(outcome.code)
  })
}

/** True where the orders of the command wait at the exchange: now, and were the market one spread higher or lower. */
function isSureToWait(command: OrderCommand, place: CommandContext, reading: AccountReading): boolean {
  return nearby(reading).every((moved) => {
    const decided = decide(command, place, moved)
    if (decided === 'read' || 'ending' in decided) return false
    return decided.orders.every((order) => !isImmediate(order.plan) && !tradesAtOnce(order))
  })
}

function nearby(reading: AccountReading): AccountReading[] {
  const spread = subtract(reading.ask, reading.bid)
  return [reading, movedBy(reading, spread), movedBy(reading, negate(spread))]
}

function foreseenOf(command: number, outcome: Outcome | undefined): Foreseen | undefined {
  if (outcome === undefined || !('code' in outcome)) return undefined
  return { command, code: outcome.code as ForeseenCode, message: outcome.error }
}

function movedBy(reading: AccountReading, by: string): AccountReading {
  const { bid, ask, mark, bandPrice } = reading
  const prices = { bid: add(bid, by), ask: add(ask, by), mark: add(mark, by) }
  return { ...reading, ...prices, ...(bandPrice && { bandPrice: add(bandPrice, by) }) }
}

/** Outcome of a command: the possible accounts behind it, and whether it opens something; or why it is refused. */
type Outcome = { after: readonly AccountReading[]; opens: boolean } | Failure

function outcomeOf(command: OrderCommand, place: CommandContext, reading: AccountReading): Outcome {
  const { market } = place
  const decided = decide(command, place, reading)
  if (decided === 'read') throw new Error('an account that was read is not enough')
  if ('ending' in decided) {
    const { errorCode, error } = decided.ending
    if (errorCode !== null) return { code: errorCode, error: error ?? '' }
    return { after: [accountAfterEnding(reading, command, decided.ending)], opens: false }
  }
  const { orders } = decided
  const plans = orders.map(({ plan }) => plan)
  const group = groupIn(command, plans, market)
  if (group !== undefined && 'status' in group)
    return { code: group.errorCode ?? '', error: group.error ?? '' }
  const isSure = plans.length === 1 && plans[0]?.type === 'market'
  const opens = plans.some((plan) => !plan.reduceOnly && !isExitOf(plan, reading))
  // Commands behind an order that waits come while it does.
  if (isSureToWait(command, place, reading)) return { after: [resting(orders, reading, market)], opens }
  const filled = filledWays(orders, reading, market)
  // The likely way comes first, and gives the reason of a refusal.
  const isLikely = orders.length === 1 && orders.every(tradesAtOnce)
  const waiting = resting(orders, reading, market)
  const either = isLikely ? [...filled, waiting] : [waiting, ...filled]
  return { after: isSure ? filled : either, opens }
}

/** The account while all of the orders wait: the coins that they are to sell are reserved, for a pair once. */
function resting(orders: readonly Decision[], reading: AccountReading, market: Market): AccountReading {
  const [first] = orders
  const withResting = orders.reduce(accountResting, reading)
  const sells = market.kind === 'spot' && first?.plan.side === 'sell'
  return sells ? accountKeeping(withResting, first.plan, market) : withResting
}

/** The account once one of the orders was filled, or all of them were before one could end the others. */
function filledWays(orders: readonly Decision[], reading: AccountReading, market: Market): AccountReading[] {
  const each = orders.map((decision) => accountFilled(reading, decision, market))
  if (orders.length === 1) return each
  return [...each, orders.reduce((account, decision) => accountFilled(account, decision, market), reading)]
}
