import type { RecordedMarket } from '../../src/venue/read/drift.ts'
import type { Assumption } from '../judge.ts'

const markets = ['bybit-linear', 'bybit-spot'] as const
const linear = ['bybit-linear'] as const

const of = (
  step: string,
  claim: string,
  source: string,
  where: readonly RecordedMarket[] = markets,
): Assumption => ({ markets: where, step, claim, source })

const codes = 'bybit/codes.ts'
const documented = 'v5 documentation'

/** The assumptions about Bybit. */
export const bybitAssumptions = {
  'signature.wrong': of('signing', 'a wrong signature is 10004', codes),
  'window.checked': of('signing', 'an order signed 10 s ago is 10002 and placed nowhere', 'decision 4'),
  'leverage.same': of('settings', 'a leverage that is so already is 110043', codes, linear),
  'mode.same': of('settings', 'a position mode that is so already is 110025', codes, linear),
  'absent.order': of('absent', 'realtime and history of an id that never was are empty lists', 'decision 4'),
  'absent.cancel': of('absent', 'the cancel of an id that never was says that it is absent', codes),
  'refused.value': of('refusals', 'an order below the least value is E504, or E502', codes),
  'refused.reduce': of('refusals', 'reduceOnly without a position is E510', codes, linear),
  'refused.trigger': of('refusals', 'a stop that would trigger at once is E507', codes, linear),
  'maker.ended': of('refusals', 'a PostOnly order that would take is E509, at once or as its end', codes),
  'limit.answer': of('limit', 'create answers the two ids of the order', 'bybit/answers.ts'),
  'limit.event': of('limit', 'the topic order reports New and Cancelled', 'bybit/read-order.ts'),
  'id.once': of('limit', 'an orderLinkId is refused as a duplicate, also after its end', documented),
  amend: of('limit', 'amend changes the price under the same ids', documented),
  'cancel.answer': of('limit', 'cancel answers the ids, and realtime shows Cancelled', 'bybit/cancel.ts'),
  'cancel.again': of('limit', 'the cancel of an order that has ended says that it is absent', codes),
  'ioc.ended': of('immediate', 'an IOC order that meets nothing is Cancelled', 'bybit/read-order.ts'),
  'socket.answer': of('socket', 'order.create over the socket answers the two ids', 'decision 12'),
  'socket.refusal': of('socket', 'a refusal over the socket has the same code', 'bybit/order-socket.ts'),
  'fill.row': of('fill', 'a filled order reports avgPrice and what was paid for it', 'bybit/read-order.ts'),
  'fill.executions': of(
    'fill',
    'execution/list reports execFee and execQty of each fill',
    'bybit/linear-rows.ts',
  ),
  'fill.events': of('fill', 'the topics order, execution and wallet report a fill', 'decision 15'),
  'position.seq': of('fill', 'a position reports its seq, a number', 'bybit/linear-rows.ts', linear),
  'id.filled': of('fill', 'the orderLinkId of a filled order is refused as a duplicate', documented),
  'stop.answer': of('conditional', 'a stop is taken, and Untriggered in realtime', 'bybit/order-fields.ts'),
  'stop.ended': of('conditional', 'its cancel shows it Deactivated or Cancelled', 'bybit/read-order.ts'),
  'close.ended': of('close', 'a market order ends what was bought', 'bybit/order-fields.ts'),
} as const satisfies Record<string, Assumption>
