import type { Assumption } from '../judge.ts'

type Markets = Assumption['markets']

/** Makes assumptions about these markets. */
export const assumptionsOf =
  (markets: Markets) =>
  (step: string, claim: string, source: string): Assumption => ({ markets, step, claim, source })

export const codes = 'binance/codes.ts'

const of = assumptionsOf(['binance-futures', 'binance-spot'])

/** The assumptions about both markets of Binance. */
export const binanceAssumptions = {
  'signature.wrong': of('signing', 'a wrong signature is -1022', codes),
  'window.checked': of('signing', 'an order signed 10 s ago is -1021 and placed nowhere', 'decision 4'),
  'absent.order': of('absent', 'GET order of an id that never was is -2013', `decision 4, ${codes}`),
  'absent.cancel': of('absent', 'DELETE order of an id that never was is -2011', codes),
  'refused.value': of('refusals', 'an order below the least value is E504', codes),
  'refused.trigger': of('refusals', 'a stop that would trigger at once is E507', codes),
  'cancel.answer': of('limit', 'DELETE answers the order as CANCELED', 'binance/cancel.ts'),
  'cancel.again': of('limit', 'DELETE of an order that has ended is -2011', codes),
  'ioc.ended': of('immediate', 'an IOC order that meets nothing is EXPIRED', 'binance/answers.ts'),
  'socket.answer': of('socket', 'order.place answers as POST order does', 'decision 12'),
  'socket.refusal': of(
    'socket',
    'a refusal over the socket has status 400 and the code of HTTP',
    'binance/order-socket.ts',
  ),
} as const satisfies Record<string, Assumption>
