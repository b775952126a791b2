import { add, isGreater, least, subtract } from '@tripline/proto/decimal'
import type { NamedOrder } from '../order/order.ts'
import type { TakenBack } from './legs-record.ts'

/** Orders of the bot that sell what it holds on spot: one by itself, or a pair over the same coins. */
export interface OwnExit {
  /** Which command of which execution they are of. */
  name: string
  orders: readonly NamedOrder[]
  /** Coins that they would still sell. */
  coins: string
  /** True where the exchange locks these coins for them. */
  isLocking: boolean
  /** True where one of them limits a loss. */
  limitsLoss: boolean
  /** Which sale took them back, and how far that is. */
  taken?: TakenBack & { isAway: boolean }
  /** Why they do not stand again that were to. */
  remark?: string
}

/** Own exits that were taken back, and how many of their coins are to stand again at most; all where that is not said. */
export interface ReturnedExit {
  name: string
  left?: string
}

/** An own exit once its sale has ended. */
export interface StandingAgain {
  name: string
  /** Coins that it stands for. */
  coins: string
  /** Why it does not stand, where it was to. */
  remark?: string
}

/** A sale's view of the bot's own exits, and of other locks on its coins. */
export interface Taking {
  /** Exits taken back for it. */
  exits: readonly OwnExit[]
  /** The needed exits were chosen. */
  isChosen: boolean
  /** Set where own exits stand that lock nothing: the exchange takes the sale, and they may sell more than it leaves. */
  mayOutsell?: boolean
  /** Since when they are taken back. */
  since?: number
  /** Number of looks whether they are away. */
  looks?: number
  /** Coins that were free before. */
  free?: string
  /** Set once it was asked for after the sale: whether it was read, and how many coins were free when that was sized. */
  isReadAfter?: boolean
  sizedOn?: string
  /** The exchange's refusal of the sale, before it was looked what locks its coins. */
  refusal?: { code: string; error: string }
  /** Other orders that sell the coins; absent before a request. */
  others?: { orders: readonly NamedOrder[]; isListed: boolean }
  isGivenBack: boolean
}

/** Result of a sale of so many coins, as far as that decides what is taken back. */
export interface Shortage {
  /** Coins that it lacks, since orders lock them. */
  lacking: string
  /** Coins that are left to be sold by others once it is done. */
  staying: string
}

/**
 * Returns the own exits to take back for a sale: whole groups, those that limit no loss first, and else the oldest; no
 * more of them than lock what it lacks. Orders that wait for their trigger without a lock at the exchange are taken
 * back where they would sell more than what stays.
 */
export function chosenFrom(own: readonly OwnExit[], { lacking, staying }: Shortage): OwnExit[] {
  let open = lacking
  return own
    .filter(({ taken }) => taken === undefined)
    .toSorted(byLoss)
    .filter(({ coins, isLocking }) => {
      if (!isLocking) return isGreater(coins, staying)
      const isNeeded = isGreater(open, '0') && isGreater(coins, '0')
      if (isNeeded) open = subtract(open, coins)
      return isNeeded
    })
}

/** Names begin with the time of their alert. */
function byLoss(one: OwnExit, other: OwnExit): number {
  const byLimit = Number(one.limitsLoss) - Number(other.limitsLoss)
  return byLimit === 0 ? one.name.localeCompare(other.name) : byLimit
}

/**
 * Returns the part of each that stands again, where so many coins are free after the sale: exits that limit a loss get them
 * first, and of such the one that was taken back last. No coin has two orders, of which one could not be executed.
 */
export function leftOf(exits: readonly OwnExit[], free: string): Required<ReturnedExit>[] {
  let spare = free
  const left = new Map<string, string>()
  for (const { name, coins } of exits.toReversed().toSorted(byProtection)) {
    const mine = isGreater(spare, '0') ? least(coins, spare) : '0'
    spare = subtract(spare, mine)
    left.set(name, mine)
  }
  return exits.map(({ name }) => ({ name, left: left.get(name) ?? '0' }))
}

function byProtection(one: OwnExit, other: OwnExit): number {
  return Number(other.limitsLoss) - Number(one.limitsLoss)
}

/** Returns the coins that are free once all of these are away. */
export function coinsOf(exits: readonly OwnExit[]): string {
  return exits.reduce((sum, { coins, isLocking }) => (isLocking ? add(sum, coins) : sum), '0')
}

/** Returns how many coins these are to sell that the exchange does not lock for them. */
export function reservedBy(exits: readonly OwnExit[]): string {
  const reserving = exits.filter(({ isLocking, taken }) => !isLocking && taken === undefined)
  return reserving.reduce((sum, { coins }) => add(sum, coins), '0')
}

/** An order in words, by which it is found at the exchange. */
export function orderWords(order: Omit<NamedOrder, 'filled' | 'venueOrderId' | 'clientOrderId'>): string {
  const { type, side, quantity, price, triggerPrice } = order
  const at = triggerPrice ?? price
  return `${type} ${side} ${quantity}${at === null ? '' : ` at ${at}`}`
}

/** Returns words on other locks of a sale's coins, and advice; undefined where that was not reported. */
export function othersWords(
  { others, exits }: Taking,
  { symbol, base }: { symbol: string; base: string },
): string | undefined {
  if (others === undefined || !others.isListed) return undefined
  // A list that still shows orders that were taken back is old: an order that it lacks may be there.
  const taken = new Set(exits.flatMap(({ orders }) => orders.map(({ clientOrderId }) => clientOrderId)))
  const strange = others.orders.filter(({ clientOrderId }) => !taken.has(clientOrderId))
  const isOld = strange.length < others.orders.length
  const listed = strange.filter(isSale).map((order) => `${orderWords(order)} (${order.clientOrderId})`)
  if (listed.length === 0 && isOld) return undefined
  if (listed.length === 0)
    return `no open order of ${symbol} sells it: what locks ${base} is an order of another symbol`
  const not = listed.length === 1 ? 'is not an order' : 'are not orders'
  return `${listed.join(', ')} ${not} of this bot: end what locks ${base} with cancel(...), or sell less`
}

function isSale({ side, quantity, filled }: NamedOrder): boolean {
  return side === 'sell' && isGreater(quantity, filled)
}
