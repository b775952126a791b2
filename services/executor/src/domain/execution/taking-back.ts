import type { Command } from '@tripline/proto/alert-tree'
import type { CommandResult, TakenBackOrder } from '@tripline/proto/command-result'
import { add, isGreater, isLess, isZero, least, notBelowZero, plain, subtract } from '@tripline/proto/decimal'
import { executionIdOf } from '@tripline/proto/id'
import type { MarketCommand } from '@tripline/proto/language/tree'
import { type AccountReading, freeIn } from '../account/account.ts'
import { type BotLimits, haltedError, permit } from '../account/permit.ts'
import {
  chosenFrom,
  coinsOf,
  leftOf,
  type OwnExit,
  orderWords,
  othersWords,
  type ReturnedExit,
  type Shortage,
  type StandingAgain,
  type Taking,
} from '../group/own-exits.ts'
import { askAgainMs, type Decision } from '../order/attempt.ts'
import { type Failure, failed } from '../order/ending.ts'
import type { Market } from '../order/market.ts'
import type { OpenOrders, Placement } from '../order/order.ts'
import { type CommandContext, type Decided, decide } from '../resolve/decide.ts'
import { type Execution, placeOf, type Step, settle, withCurrent } from './state.ts'
import { isLongUnanswered, isTriedOut } from './unanswered.ts'

/** Most looks at the endings of orders whose sale is done. */
const mostLooks = 50

const notEnded = 'The exchange did not end an order of ours that locks the coins; look there'

/** A sale on spot that takes back the bot's own exits where these lock what it needs. */
export type Sale = MarketCommand

/** True for a command that may be such a sale. A sale of a share of the available coins leaves locked ones alone. */
export function maySell(command: Command, { kind }: Pick<Market, 'kind'>): command is Sale {
  if (command.type !== 'market' || kind !== 'spot') return false
  const { side, amount, position } = command
  if (position !== undefined) return position.basis !== 'percentAvailable'
  return side === 'sell' && amount?.basis !== 'percentAvailable'
}

/** The order that a sale comes to where no order locks its coins, and what that leaves; undefined where it sells nothing. */
export function wantedOf(
  command: Sale,
  place: CommandContext,
  reading: AccountReading,
): (Shortage & { decision: Decision }) | undefined {
  const { base } = place.market
  const { total = '0', free = '0' } = reading.holdings.find(({ coin }) => coin === base) ?? {}
  const decided = decide(command, place, withFree(reading, base, total))
  const [decision] = decided !== 'read' && 'orders' in decided ? decided.orders : []
  if (decision === undefined || decision.plan.side !== 'sell') return undefined
  const { quantity } = decision.plan
  if (isGreater(quantity, total)) return undefined
  return { decision, lacking: subtract(quantity, free), staying: subtract(total, quantity) }
}

function withFree(reading: AccountReading, base: string, free: string): AccountReading {
  const holdings = reading.holdings.map((held) => (held.coin === base ? { ...held, free } : held))
  return { ...reading, holdings }
}

/**
 * Returns the step for a sale's coins before it is sized: own exits are taken back, and the free coins are read once
 * they are away. Undefined where it can be sized.
 */
export function nextForCoins(
  execution: Execution,
  command: Sale,
  limits: BotLimits,
  now: number,
): Step | undefined {
  const { taking, reading } = execution.current
  if (taking === undefined) return undefined
  if (taking.exits.some(isOpen)) return nextTaking(execution, taking, limits, now)
  const isRead = taking.exits.length > 0 || taking.refusal !== undefined || taking.mayOutsell === true
  if (reading === undefined) return isRead ? { do: 'read' } : undefined
  const wanted = wantedOf(command, placeOf(execution), reading)
  if (wanted === undefined) return refusedBefore(execution, taking, now) ?? nextNoting(taking)
  const permitted = permit([wanted.decision.plan], reading, now - execution.dueAt, limits)
  if (permitted !== 'placed') return permitted === 'read' ? { do: 'read' } : settle(execution, permitted, now)
  if (!taking.isChosen) return { do: 'ownExits' }
  if (isGreater(wanted.lacking, '0')) {
    if (taking.others === undefined) return { do: 'listOthers' }
    if (taking.exits.length === 0) return refusedBefore(execution, taking, now)
  }
  return nextNoting(taking)
}

/** Before the sale is sent that is noted: a successor that finds no note knows that it was not. */
function nextNoting(taking: Taking): Step | undefined {
  const isNoted = taking.exits.every(({ taken }) => taken?.phase === 'selling')
  return isNoted ? undefined : { do: 'beginSale', exits: taking.exits.map(({ name }) => name) }
}

const isOpen = ({ taken }: OwnExit): boolean => taken?.isAway !== true

function nextTaking(execution: Execution, taking: Taking, limits: BotLimits, now: number): Step {
  const { since = now } = taking
  if (limits.tradingState === 'halted') return settle(execution, failed('E516', haltedError), now)
  if (isTriedOut(since, limits, now)) return settle(execution, failed('E602', notEnded), now)
  return { do: 'takeBack', exits: taking.exits.map(({ name }) => name) }
}

/** Ends a sale that the exchange refused already, and that would come to the same again. */
function refusedBefore(execution: Execution, { refusal }: Taking, now: number): Step | undefined {
  return refusal && settle(execution, failed(refusal.code, refusal.error), now)
}

/** Returns the decision on a sale, with what locks the rest where it was cut to what is free. */
export function namingOthers(
  decided: Exclude<Decided, 'read'>,
  { current, market }: Execution,
): typeof decided {
  const words = current.taking && othersWords(current.taking, market)
  if (words === undefined || 'ending' in decided) return decided
  const orders = decided.orders.map(({ warnings = [], ...decision }) => ({
    ...decision,
    warnings: warnings.map((each) =>
      each.code === 'W705' ? { ...each, text: `${each.text}; ${words}` } : each,
    ),
  }))
  return { orders }
}

/** True where a sale that was sent without a look was refused, as its coins are not free: it is looked what locks them. */
export function isShortOfCoins(
  placement: Placement,
  { plan }: Decision,
  { current: { taking, orders }, market }: Execution,
): placement is Extract<Placement, { outcome: 'refused' }> {
  if (placement.outcome !== 'refused' || placement.code !== 'E506') return false
  if (market.kind !== 'spot' || plan.side !== 'sell' || orders?.[0]?.doubt !== undefined) return false
  return taking !== undefined && !taking.isChosen && taking.refusal === undefined
}

/** The execution after such a refusal. */
export function afterShortage(execution: Execution, { code, error }: Failure): Execution {
  const { orders: _refused, reading: _old, ...current } = execution.current
  const { taking } = current
  return {
    ...execution,
    current: { ...current, ...(taking && { taking: { ...taking, refusal: { code, error } } }) },
  }
}

/** The execution once it is known which orders of the bot sell what it holds. */
export function afterOwnExits(
  execution: Execution,
  command: Sale,
  own: readonly OwnExit[],
  now: number,
): Execution {
  const { reading: _seen, ...current } = execution.current
  const { taking } = execution.current
  if (taking === undefined) {
    const exits = own.filter(({ taken }) => taken?.by === saleOf(execution))
    const mayOutsell = own.some(({ isLocking, taken }) => !isLocking && taken === undefined)
    const seen = { taking: { exits, isChosen: false, mayOutsell, since: now, isGivenBack: false } }
    const isUnsent = !execution.isRestored && exits.some(({ taken }) => taken?.phase === 'taking')
    if (!isUnsent) return withCurrent(execution, seen)
    // The sale's sending is noted with all of them first: nothing of it, or behind it, was sent.
    const { orders: _unsent, ...unsent } = current
    return { ...execution, notAbsentBefore: undefined, current: { ...unsent, ...seen } }
  }
  if (isSent(execution)) return afterLook(execution, taking, own, now)
  const { base } = execution.market
  const reading = execution.current.reading && besideOwn(execution.current.reading, base, own)
  const wanted = reading && wantedOf(command, placeOf(execution), reading)
  const by = saleOf(execution)
  const chosen = (wanted === undefined || isTooMuch(command, wanted, own) ? [] : chosenFrom(own, wanted)).map(
    (exit): OwnExit => ({ ...exit, taken: { by, phase: 'taking', isAway: false } }),
  )
  if (reading === undefined || chosen.length === 0)
    return withCurrent(execution, { taking: { ...taking, isChosen: true } })
  const exits = [...taking.exits, ...chosen]
  const free = notBelowZero(subtract(freeIn(reading, base), coinsOf(taking.exits)))
  return {
    ...execution,
    current: { ...current, taking: { ...taking, exits, isChosen: true, since: now, free } },
  }
}

/** The reading with no more free than own exits leave: it may be older than these. */
export function besideOwn(reading: AccountReading, base: string, own: readonly OwnExit[]): AccountReading {
  const { total = '0', free = '0' } = reading.holdings.find(({ coin }) => coin === base) ?? {}
  const left = subtract(total, coinsOf(own.filter(({ taken }) => taken === undefined)))
  // Of an order that was just filled in part it may not be known yet.
  return withFree(reading, base, least(free, notBelowZero(left)))
}

/** True for a sale of a written amount that would lack coins even with all of the bot's own exits away: it takes none back. */
function isTooMuch({ amount }: Sale, { lacking }: Shortage, own: readonly OwnExit[]): boolean {
  const isWritten = amount?.basis === 'base' || amount?.basis === 'asset'
  return isWritten && isGreater(lacking, coinsOf(own.filter(({ taken }) => taken === undefined)))
}

/**
 * The reading with all that is free once own exits were taken back: the free amount before, and their coins. It may be older than
 * their end, by up to 20 s; and the exchange refuses to sell coins that are not there.
 */
export function withTakenBack(reading: AccountReading, execution: Execution): AccountReading {
  const { current, market } = execution
  const { exits = [], free: before } = current.taking ?? {}
  if (exits.length === 0 || isSent(execution)) return reading
  const { total = '0', free = '0' } = reading.holdings.find(({ coin }) => coin === market.base) ?? {}
  // A successor does not know what was free before: coins of an order that did not lock them most likely were.
  const counted = before === undefined ? exits.map((exit) => ({ ...exit, isLocking: true })) : exits
  const expected = least(total, add(before ?? '0', coinsOf(counted)))
  return isLess(free, expected) ? withFree(reading, market.base, expected) : reading
}

function isSent({ current: { orders } }: Execution): boolean {
  return orders?.[0]?.found !== undefined
}

function afterLook(execution: Execution, taking: Taking, own: readonly OwnExit[], now: number): Execution {
  const exits = takenOf(execution, taking, own)
  const looks = (taking.looks ?? 0) + 1
  return withCurrent(execution, { taking: { ...taking, exits, looks }, notBefore: now + askAgainMs })
}

/** Returns exits still taken back for the sale, as they are now; one that is missing has ended, or stands again. */
function takenOf(execution: Execution, { exits }: Taking, own: readonly OwnExit[]): OwnExit[] {
  const by = saleOf(execution)
  return exits.flatMap(({ name }) => own.find((exit) => exit.name === name && exit.taken?.by === by) ?? [])
}

/** Returns the name of the running sale. */
function saleOf(execution: Execution): string {
  const { alertId, block, command } = placeOf(execution)
  return `${executionIdOf(alertId, block)}.${command}`
}

/** The execution after own exits were to be taken back; one that is not there any more has ended by itself. */
export function afterTakeBack(execution: Execution, own: readonly OwnExit[], now: number): Execution {
  const { taking } = execution.current
  if (taking === undefined) return execution
  const exits = takenOf(execution, taking, own)
  const notBefore = exits.some(isOpen) ? { notBefore: now + askAgainMs } : {}
  return withCurrent(execution, { taking: { ...taking, exits }, ...notBefore })
}

/** The execution once what was taken back stands again, as far as its coins are there. */
export function afterGiveBack(execution: Execution, standing: readonly StandingAgain[]): Execution {
  const { taking } = execution.current
  if (taking === undefined) return execution
  const exits = taking.exits.map((exit) => ({
    ...exit,
    coins: '0',
    ...standing.find(({ name }) => name === exit.name),
  }))
  return withCurrent(execution, { taking: { ...taking, exits, isGivenBack: true } })
}

/** The execution once it was asked what else locks the coins. */
export function afterOthers(execution: Execution, open: OpenOrders): Execution {
  const { taking } = execution.current
  if (taking === undefined) return execution
  const others =
    open.outcome === 'read' ? { orders: open.orders, isListed: true } : { orders: [], isListed: false }
  return withCurrent(execution, { taking: { ...taking, others } })
}

/** True where the account is to be read as it is now, since what locked its coins was ended, or is looked for. */
export function isReadAnew({ current: { taking } }: Execution): boolean {
  return taking !== undefined && (taking.exits.length > 0 || taking.refusal !== undefined)
}

/** True once own exits are being taken back for long. */
export function isTakingLong({ current: { taking } }: Execution, now: number): boolean {
  return taking?.exits.some(isOpen) === true && isLongUnanswered(taking.since ?? now, now)
}

/** True while something is taken back and the sale has not ended. */
export function isTaking({ current: { taking } }: Execution): boolean {
  return taking !== undefined && taking.exits.length > 0 && !taking.isGivenBack
}

/** The step that ends a sale: before it, the orders over unsold coins stand again; its result names them. */
export function endingSale(execution: Execution, step: Step): Step {
  const { taking, orders } = execution.current
  if (step.do !== 'settle' || taking === undefined) return step
  if (!isTaking(execution)) return { do: 'settle', outcome: named(step.outcome, taking, execution.market) }
  const { exits, looks = 0 } = taking
  const filled = orders?.[0]?.found?.filled ?? '0'
  const all = exits.map(({ name }): ReturnedExit => ({ name }))
  if (isZero(filled)) return { do: 'giveBack', exits: all }
  // A successor has yet to see how the orders ended, and so how many coins they still were for.
  if (exits.some(isOpen) && looks < mostLooks) return { do: 'ownExits' }
  const free = freeAfter(execution, filled)
  // Without that knowledge all of it is tried: the exchange refuses what is not there.
  const left = free === undefined ? all : leftOf(exits, free)
  const isSold = left.every((each) => each.left !== undefined && isZero(each.left))
  return isSold || taking.isReadAfter !== undefined ? { do: 'giveBack', exits: left } : { do: 'read' }
}

/**
 * Returns the free coins after a sale of which so much is filled: by what it was sized on, or by what was read since,
 * whichever is less, since a reading may be late; undefined where neither is known.
 */
function freeAfter({ current, market }: Execution, filled: string): string | undefined {
  const { taking, orders } = current
  const since = current.reading && freeIn(current.reading, market.base)
  const sizedOn = taking?.sizedOn ?? since
  // One that an earlier owner sent was sized on a reading of its own.
  const isOwn = orders?.[0]?.decision !== undefined
  const after = taking?.isReadAfter === true ? since : undefined
  const rest = isOwn && sizedOn !== undefined ? subtract(sizedOn, filled) : undefined
  return after === undefined || rest === undefined ? (after ?? rest) : least(after, rest)
}

/** Returns the state of a sale's coins once the account was read, or could not be. */
export function afterCoinsRead(execution: Execution, isRead: boolean): { taking?: Taking } {
  const { current, market } = execution
  const { taking, reading } = current
  if (taking === undefined || !isSent(execution)) return {}
  const sizedOn = reading && { sizedOn: freeIn(reading, market.base) }
  return { taking: { ...taking, ...sizedOn, isReadAfter: isRead } }
}

/** Codes of a sale for which too little is free. */
const shortCodes: ReadonlySet<string> = new Set(['E501', 'E502', 'E504', 'E506'])

function named(outcome: CommandResult, taking: Taking, market: Market): CommandResult {
  const others = othersWords(taking, market)
  const isShort = outcome.errorCode !== null && shortCodes.has(outcome.errorCode)
  const { exits } = taking
  const taken = exits.length === 0 ? undefined : `taken back for it: ${exits.map(inWords).join('; ')}`
  const result = resultWith(outcome.result, exits, taken)
  if (outcome.error === null) return { ...outcome, result }
  // A size that is cut to nothing, as others lock all of it, rounds to zero only in the arithmetic.
  const isLocked = outcome.errorCode === 'E501' && others !== undefined
  const failure = isLocked
    ? { errorCode: 'E506', error: `none of the ${market.base} can be sold` }
    : { errorCode: outcome.errorCode, error: outcome.error }
  const words = [failure.error, isShort ? others : undefined, taken].filter((each) => each !== undefined)
  return { ...outcome, ...failure, result, error: words.join('; ') }
}

function resultWith(
  result: CommandResult['result'],
  exits: readonly OwnExit[],
  taken: string | undefined,
): CommandResult['result'] {
  if (result === null || taken === undefined) return result
  if ('client_order_id' in result) {
    const warnings = [...(result.warnings ?? []), ...exits.flatMap(notStanding)]
    const warned = warnings.length === 0 ? {} : { warnings }
    return { ...result, taken_back: exits.flatMap(takenBackOrders), ...warned }
  }
  return 'code' in result ? { ...result, note: `${result.note}; ${taken}` } : result
}

function takenBackOrders({ orders, coins }: OwnExit): TakenBackOrder[] {
  return orders.map(({ venueOrderId, clientOrderId, side, type, quantity, filled, price, triggerPrice }) => ({
    id: venueOrderId,
    client_order_id: clientOrderId,
    side,
    type,
    amount: plain(quantity),
    filled,
    price: triggerPrice ?? price,
    stands_again: isZero(coins) ? null : plain(coins),
  }))
}

/** The warning that an exit does not stand again that was to. */
function notStanding({ orders, remark }: OwnExit): { code: 'W709'; text: string }[] {
  if (remark === undefined) return []
  return [{ code: 'W709', text: `${allWords(orders)} was taken back for the sale: ${remark}` }]
}

function inWords({ orders, coins, remark }: OwnExit): string {
  const orderTexts = allWords(orders)
  if (remark !== undefined) return `${orderTexts} (${remark})`
  return isZero(coins) ? orderTexts : `${orderTexts}, which stands again for ${plain(coins)}`
}

function allWords(orders: OwnExit['orders']): string {
  return orders.map(orderWords).join(' with ')
}
