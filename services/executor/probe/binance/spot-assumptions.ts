import type { Assumption } from '../judge.ts'
import { assumptionsOf, binanceAssumptions, codes } from './assumptions.ts'

const of = assumptionsOf(['binance-spot'])

const documented = 'binance-spot-api-docs'

/** The assumptions about Binance spot. */
export const spotAssumptions = {
  ...binanceAssumptions,
  'refused.tick': of('refusals', 'a price between two ticks is E508', codes),
  'refused.maker': of('refusals', 'a LIMIT_MAKER that would take is E509', codes),
  'limit.answer': of('limit', 'POST answers NEW with our id and an orderId', 'binance/spot-answers.ts'),
  'id.whole': of('limit', 'the orderId is an integer, the same in each answer and event', documented),
  'id.open': of('limit', 'the client id of an open order is -2010 "Duplicate order sent."', documented),
  'limit.event': of(
    'limit',
    'executionReport reports NEW and CANCELED of a limit order',
    'binance/spot-update.ts',
  ),
  amend: of('limit', 'cancelReplace ends one order and places another one', documented),
  'cancel.name': of(
    'limit',
    'the event of a cancel reports our id as C, since c is another one',
    'binance/spot-update.ts',
  ),
  'fill.answer': of(
    'fill',
    'POST of a market order (FULL) answers FILLED with its fills and their fees',
    documented,
  ),
  'fill.trades': of(
    'fill',
    'myTrades reports commission and commissionAsset of each fill',
    'binance/spot.ts',
  ),
  'fill.fee': of(
    'fill',
    'the event of a fill reports its fee (n) and coin (N), as myTrades does',
    'binance/spot-update.ts',
  ),
  'fill.order': of('fill', 'events: NEW, then TRADE, then outboundAccountPosition at last', documented),
  'stop.answer': of(
    'conditional',
    'a stop limit and a take profit limit are taken and open',
    'binance/spot-fields.ts',
  ),
  'pair.answer': of(
    'conditional',
    'orderList/oco answers orders and orderReports of both of our ids',
    'binance/oco.ts',
  ),
  'pair.ended': of('conditional', 'the cancel of one of a pair ends both', 'decision 10'),
  'pair.event': of('conditional', 'listStatus reports both orders of a pair', 'binance/list-status.ts'),
  'pair.crossed': of('conditional', 'a pair on the wrong sides of the market is E511', codes),
  'id.reuse': of('close', 'the client id of a filled order is taken again', documented),
  'close.sold': of('close', 'what was bought, without the fee, can be sold', 'sizing of spot'),
} as const satisfies Record<string, Assumption>
