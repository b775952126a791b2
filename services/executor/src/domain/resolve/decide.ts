import type { Command } from '@tripline/proto/alert-tree'
import { clientOrderIdOf } from '@tripline/proto/client-order-id'
import type { AlertId, ClientOrderId } from '@tripline/proto/id'
import type { AccountReading } from '../account/account.ts'
import type { Decision } from '../order/attempt.ts'
import { type Ending, failed, nothingToDo } from '../order/ending.ts'
import type { Market } from '../order/market.ts'
import { isProtective } from '../order/order.ts'
import { needsReading, sizeOrder } from '../sizing/sizing.ts'
import { type OrderCommand, resolveCommand } from './command.ts'
import { roundingWarning } from './finish-order.ts'
import type { ResolvedOrder } from './resolution.ts'

/** Which command of which alert, and where it runs. */
export interface CommandContext {
  alertId: AlertId
  block: number
  command: number
  market: Market
  /** The commands of its block that come before it. */
  before: readonly Command[]
}

/** Decision on a command: orders, an ending without any, or that the account has to be looked at first. */
export type Decided = { orders: readonly Decision[] } | { ending: Ending } | 'read'

type MarketCommand = Extract<Command, { type: 'market' }>

/** Decides what a command comes to. Its own words go as far as possible without asking the venue. */
export function decide(
  command: OrderCommand,
  place: CommandContext,
  reading: AccountReading | undefined,
): Decided {
  if (reading === undefined) {
    return command.type === 'market' && isPlain(command, place.market) ? decidePlain(command, place) : 'read'
  }
  const resolution = resolveCommand(command, place.market, reading, { before: place.before })
  switch (resolution.outcome) {
    case 'nothing':
      return { ending: nothingToDo(resolution.note, resolution.code) }
    case 'denied':
      return { ending: failed(resolution.code, resolution.error) }
    case 'orders':
      return {
        orders: protectiveFirst(command, resolution.orders).map(({ order, tag }, leg) =>
          decisionOf(order, place, orderIdOf(place, leg, 0, tag), reading),
        ),
      }
  }
}

/** The id of an order of a command; the same in every attempt. */
export function orderIdOf(
  place: Pick<CommandContext, 'alertId' | 'block' | 'command'>,
  leg: number,
  revision: number,
  tag: string | undefined,
): ClientOrderId {
  const { alertId, block, command } = place
  return clientOrderIdOf({ alertId, block, command, leg, revision, tag })
}

/** A size that needs no look at the account, of the one position there is. */
function isPlain(command: MarketCommand, market: Market): boolean {
  const { positionSide = 'both' } = command
  return positionSide === 'both' && !needsReading(command, market)
}

function decidePlain(command: MarketCommand, place: CommandContext): Decided {
  const size = sizeOrder(command, place.market, undefined)
  if (size.size === 'denied') return { ending: failed(size.code, size.error) }
  if (size.size === 'nothing') return { ending: nothingToDo(size.note, size.code) }
  const { size: _kind, capped: _never, closes: _neither, ...sized } = size
  const warnings = roundingWarning(sized, command)
  const order = { type: 'market', positionSide: 'both', ...sized, warnings } as const
  return { orders: [decisionOf(order, place, orderIdOf(place, 0, 0, command.tag), undefined)] }
}

interface Tagged {
  order: ResolvedOrder
  tag: string | undefined
}

/** The orders as they are to be placed, each with its own tag or else the command's. */
function protectiveFirst(command: OrderCommand, orders: readonly ResolvedOrder[]): readonly Tagged[] {
  const legs = command.type === 'oneCancelsOther' ? command.legs : []
  return orders
    .map((order, index) => ({ order, tag: legs[index]?.tag ?? command.tag }))
    .toSorted((one, other) => Number(isProtective(other.order)) - Number(isProtective(one.order)))
}

function decisionOf(
  order: ResolvedOrder,
  { market }: CommandContext,
  clientOrderId: ClientOrderId,
  reading: AccountReading | undefined,
): Decision {
  const { warnings, pricing, ...resolved } = order
  const reference = order.side === 'buy' ? reading?.ask : reading?.bid
  return {
    plan: { clientOrderId, symbol: market.symbol, ...resolved },
    ...(pricing !== undefined && { pricing }),
    ...(warnings.length > 0 && { warnings: [...warnings] }),
    ...(order.type === 'market' && reference !== undefined && { reference }),
  }
}
