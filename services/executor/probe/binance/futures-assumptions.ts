import type { Assumption } from '../judge.ts'
import { assumptionsOf, binanceAssumptions, codes } from './assumptions.ts'

const of = assumptionsOf(['binance-futures'])

const captures = 'captures of 2026-09'

/** The assumptions about Binance USDⓈ-M. */
export const futuresAssumptions = {
  ...binanceAssumptions,
  'margin.same': of(
    'settings',
    'a margin type that is so already is -4046, or -4067',
    'binance-connector-python #538',
  ),
  'mode.same': of('settings', 'a position mode that is so already is -4059', codes),
  'leverage.same': of(
    'settings',
    'a leverage that is so already is answered with it',
    'binance/futures-settings.ts',
  ),
  'absent.algo': of('absent', 'GET algoOrder of an id that never was is -2013', codes),
  'refused.tick': of('refusals', 'a price between two ticks is E508, or E501 as -1111', codes),
  'refused.reduce': of('refusals', 'reduceOnly without a position is E510', codes),
  'refused.maker': of('refusals', 'a post-only order that would take is E509', codes),
  'limit.answer': of('limit', 'POST answers NEW with our id and an orderId', 'binance/futures-answers.ts'),
  'limit.no-mean': of('limit', 'POST and DELETE report neither avgPrice nor cumQuote', captures),
  'id.whole': of(
    'limit',
    'the orderId is an integer, the same in each answer and event',
    'captures of 2025-12',
  ),
  'id.open': of('limit', 'the client id of an open order is -4116', codes),
  'limit.event': of(
    'limit',
    'ORDER_TRADE_UPDATE reports NEW and CANCELED of a limit order',
    'binance/futures-update.ts',
  ),
  amend: of('limit', 'PUT order changes the price under the same ids', 'documentation, Modify Order'),
  'fill.answer': of('fill', 'POST of a market order answers FILLED (RESULT)', 'documentation, New Order'),
  'fill.get': of('fill', 'GET order of a filled one reports avgPrice and cumQuote', captures),
  'fill.mean': of(
    'fill',
    'the event of a fill reports the mean price (ap) that GET order reports later',
    'binance/futures-mean.ts',
  ),
  'fill.trades': of(
    'fill',
    'userTrades reports commission and commissionAsset of each fill',
    'binance/futures-mean.ts',
  ),
  'fill.fee': of(
    'fill',
    'the event of a fill reports its fee (n) and coin (N), as userTrades does',
    'binance/futures-update.ts',
  ),
  'fill.order': of('fill', 'events: TRADE_LITE, NEW, ACCOUNT_UPDATE, TRADE', captures),
  'fill.trimmed': of('fill', 'numbers of events have no zeros at their end, but TRADE_LITE', captures),
  'algo.answer': of('conditional', 'POST algoOrder answers NEW with algoId and our id', captures),
  'algo.open': of(
    'conditional',
    'openAlgoOrders reports it, with isActivated and without actualPrice',
    captures,
  ),
  'algo.by-id': of('conditional', 'GET algoOrder by algoId is -2013 while it lives', 'nautilus_trader #4449'),
  'algo.by-name': of(
    'conditional',
    'GET algoOrder by clientAlgoId answers while it lives',
    'nautilus_trader #4449',
  ),
  'algo.event': of('conditional', 'ALGO_UPDATE reports NEW and CANCELED', 'binance/futures-update.ts'),
  'algo.delete': of('conditional', 'DELETE algoOrder answers {"code":"200"}', captures),
  'algo.all': of('conditional', 'allAlgoOrders reports it after its end', 'nautilus_trader #4449'),
  'algo.gone': of('conditional', 'DELETE of one that has ended is -2011', codes),
  'algo.socket': of('conditional', 'algoOrder.place over the socket answers as over HTTP', 'decision 12'),
  'algo.child': of('trigger', 'the order that a triggered one becomes keeps our id', captures),
  'id.reuse': of('close', 'the client id of a filled order is taken again', 'documentation, New Order'),
  'close.flat': of('close', 'a reduceOnly market order ends the position', 'binance/futures-fields.ts'),
} as const satisfies Record<string, Assumption>
