import { positionIn } from '../domain/account.ts'
import type { Refusal } from '../domain/filter.ts'
import { absolute } from '../domain/fixed.ts'
import { type MarketId, marketOf } from '../domain/market.ts'
import {
  type Attached,
  isOpen,
  type Order,
  type OrderRequest,
  opposite,
  type PositionSide,
  type Protection,
  type ProtectionPart,
  type ProtectiveLeg,
  type Side,
} from '../domain/order.ts'
import { watched } from '../domain/quote.ts'
import type { Trigger } from '../domain/trigger.ts'
import { type Entry, openOrdersOf } from '../store/ledger.ts'
import { end } from './end.ts'
import { putWaiting } from './place.ts'
import { wrongLegs } from './protect-check.ts'
import { keepOrder, nextVersion, putVersion, type Run } from './run.ts'

type Target = Readonly<{ market: MarketId; positionSide: PositionSide; side: Side; quantity: bigint }>
type Wanted = Readonly<{ part: ProtectionPart; trigger: Trigger; limitPrice?: bigint; quantity: bigint }>

/** Sets, adds or takes away what protects a position. */
export function protect(
  run: Run,
  entry: Entry,
  market: MarketId,
  positionSide: PositionSide,
  protection: Protection,
): Refusal | undefined {
  const { quantity } = positionIn(entry.account, market, positionSide)
  if (quantity === 0n) return 'noPosition'
  const refusal = wrongProtection(run, market, protection, quantity > 0n)
  if (refusal) return refusal
  const side: Side = quantity > 0n ? 'sell' : 'buy'
  const target = { market, positionSide, side, quantity: absolute(quantity) }
  const changed = [
    ...applyPair(run, entry, target, protection),
    applyTrailing(run, entry, target, protection),
  ]
  return changed.some((one) => one) ? undefined : 'protectionUnchanged'
}

function wrongProtection(
  run: Run,
  id: MarketId,
  protection: Protection,
  isLong: boolean,
): Refusal | undefined {
  const market = marketOf(id)
  const quote = run.floor.board.of(id)
  const { trailing } = protection
  if (trailing && trailing !== 'none' && trailing.distance <= 0n) return 'triggerPriceNotPositive'
  if (trailing && trailing !== 'none' && trailing.distance % market.tick !== 0n) return 'triggerPriceOffTick'
  return wrongLegs(market, protection, isLong, ({ by }) => watched(market, quote, by))
}

function applyPair(run: Run, entry: Entry, target: Target, protection: Protection): boolean[] {
  const { mode, takeProfit, stopLoss } = protection
  const before = new Set(entry.openOrderIds)
  const changed = [
    applyLeg(run, entry, target, { part: 'takeProfit', mode }, takeProfit),
    applyLeg(run, entry, target, { part: 'stopLoss', mode }, stopLoss),
  ]
  if (mode === 'partial')
    pair(
      run,
      entry,
      openOrdersOf(entry, target.market).filter(({ id }) => !before.has(id)),
    )
  return changed
}

// Whether anything changed. In full mode a leg takes the place of the one before it.
function applyLeg(
  run: Run,
  entry: Entry,
  target: Target,
  part: ProtectionPart,
  leg: ProtectiveLeg | 'none' | undefined,
): boolean {
  if (leg === undefined) return false
  const known = part.mode === 'full' || leg === 'none' ? protectionsOf(entry, target, part) : []
  if (leg === 'none') return endAll(run, entry, known)
  const wanted = wantedFrom(target, part, leg)
  return put(run, entry, target, wanted, known)
}

function wantedFrom({ side, quantity }: Target, part: ProtectionPart, leg: ProtectiveLeg): Wanted {
  const above = (part.part === 'takeProfit') === (side === 'sell')
  const trigger: Trigger = { by: leg.by, when: above ? 'rises' : 'falls', price: leg.price }
  const limit = leg.limitPrice !== undefined && { limitPrice: leg.limitPrice }
  return { part, trigger, quantity: part.mode === 'full' ? quantity : (leg.quantity ?? quantity), ...limit }
}

function applyTrailing(run: Run, entry: Entry, target: Target, { trailing }: Protection): boolean {
  if (trailing === undefined) return false
  const part: ProtectionPart = { part: 'trailing', mode: 'full' }
  const known = protectionsOf(entry, target, part)
  if (trailing === 'none') return endAll(run, entry, known)
  const { distance, activation } = trailing
  const when = target.side === 'sell' ? 'falls' : 'rises'
  const followed = { callback: { distance }, ...(activation !== undefined && { activation }) }
  const trigger: Trigger = { by: 'last', when, price: 0n, trailing: followed }
  return put(run, entry, target, { part, trigger, quantity: target.quantity }, known)
}

function protectionsOf(
  entry: Entry,
  { market, positionSide }: Target,
  { part, mode }: ProtectionPart,
): Order[] {
  return openOrdersOf(entry, market).filter(
    ({ positionSide: side, protection }) =>
      side === positionSide && protection?.part === part && protection.mode === mode,
  )
}

function endAll(run: Run, entry: Entry, orders: readonly Order[]): boolean {
  for (const order of orders) if (isOpen(entry.orders.get(order.id) ?? order)) end(run, entry, order, 'user')
  return orders.length > 0
}

function put(run: Run, entry: Entry, target: Target, wanted: Wanted, known: readonly Order[]): boolean {
  const [same] = known
  if (same && isSame(same, wanted)) return false
  if (same) amendLeg(run, entry, same, wanted)
  else putWaiting(run, entry, requestFor(target, wanted))
  return true
}

function isSame({ trigger, type, price }: Order, wanted: Wanted): boolean {
  const [is, to] = [trigger?.trailing, wanted.trigger.trailing]
  if (is && to) return sameCallback(is.callback, to.callback) && is.activation === to.activation
  const limit = type === 'limit' ? price : undefined
  return (
    trigger?.price === wanted.trigger.price && trigger.by === wanted.trigger.by && limit === wanted.limitPrice
  )
}

type Callback = NonNullable<Trigger['trailing']>['callback']

function sameCallback(a: Callback, b: Callback): boolean {
  return 'distance' in a && 'distance' in b && a.distance === b.distance
}

function amendLeg(run: Run, entry: Entry, order: Order, { trigger }: Wanted): void {
  putVersion(run, entry, nextVersion(run, order, { trigger }))
}

function requestFor({ market, positionSide, side }: Target, wanted: Wanted): OrderRequest {
  const { part, trigger, limitPrice, quantity } = wanted
  const isFull = part.mode === 'full'
  return {
    ...{ market, clientOrderId: '', side, positionSide, trigger, quantity },
    type: limitPrice === undefined ? 'market' : 'limit',
    timeInForce: limitPrice === undefined ? 'ioc' : 'gtc',
    price: limitPrice ?? 0n,
    reduceOnly: marketOf(market).kind === 'linear',
    origin: 'protection',
    protection: part,
    ...(isFull && marketOf(market).kind === 'linear' && { closePosition: true }),
  }
}

// The legs that protect the same part: when one wakes, the other ends.
function pair(run: Run, entry: Entry, legs: readonly Order[]): void {
  const [first, second] = legs
  if (!first || !second) return
  keepOrder(run, entry, { ...first, siblingId: second.id })
  keepOrder(run, entry, { ...second, siblingId: first.id })
}

/** Brings to life what a filled order carries: for the whole position, or for what was filled. */
export function attach(run: Run, entry: Entry, order: Order, quantity: bigint): void {
  const { attached, market, positionSide } = order
  if (!attached) return
  if (marketOf(market).kind === 'linear' && !holdsItsWay(entry, order)) return
  const side = opposite(order.side)
  applyPair(run, entry, { market, positionSide, side, quantity }, sized(attached, order))
}

// An order that only shrank a position has opened nothing to protect.
function holdsItsWay({ account }: Entry, { market, positionSide, side }: Order): boolean {
  const { quantity } = positionIn(account, market, positionSide)
  return side === 'buy' ? quantity > 0n : quantity < 0n
}

// Spot has no position, so its legs are for what was bought or sold.
function sized(attached: Attached, { market }: Order): Protection {
  return marketOf(market).kind === 'spot' ? { ...attached, mode: 'partial' } : attached
}
