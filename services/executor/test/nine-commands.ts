/** A command of the nine, and what it may ask an exchange. */
export interface Asked {
  command: string
  /** The requests on orders and settings, in any order: one more or less is a fault. */
  requests: readonly string[]
  /** Possible further requests, each as often as it stands here. */
  mayAsk?: readonly string[]
}

/** Requests to a market for an order, a list, a cancel and a setting. */
interface Calls {
  place: string
  placeStop: string
  /** Both orders of a pair, where the market has them. */
  placePair: readonly string[]
  /** One look at all open orders. */
  list: readonly string[]
  cancel: string
  cancelStop: string
  /** The ends of a pair, each. */
  cancelPair: readonly string[]
  balance: readonly string[]
  /** A reading of account, settings and prices, which a command asks for where these are not known. */
  reading: readonly string[]
  /** The reads of orders when a watch begins, repeated where a read is late. */
  looks: readonly string[]
  /** Cancels that go out with the position, of orders that have ended. */
  lateEnds?: readonly string[]
  changeSettings?: readonly string[]
  repeatSettings?: readonly string[]
}

const usdm: Calls = {
  place: 'ws order.place',
  placeStop: 'ws algoOrder.place',
  placePair: ['ws algoOrder.place', 'ws algoOrder.place'],
  list: ['GET /fapi/v1/openOrders', 'GET /fapi/v1/openAlgoOrders'],
  cancel: 'DELETE /fapi/v1/order',
  cancelStop: 'DELETE /fapi/v1/algoOrder',
  cancelPair: ['DELETE /fapi/v1/algoOrder', 'DELETE /fapi/v1/algoOrder'],
  balance: ['GET /fapi/v3/account', 'GET /fapi/v3/positionRisk'],
  reading: [
    ...['GET /fapi/v3/account', 'GET /fapi/v3/positionRisk', 'GET /fapi/v1/accountConfig'],
    ...['GET /fapi/v1/symbolConfig', 'GET /fapi/v1/ticker/bookTicker', 'GET /fapi/v1/premiumIndex'],
    ...['ws SUBSCRIBE', 'ws SUBSCRIBE'],
  ],
  looks: [
    ...['GET /fapi/v1/algoOrder', 'GET /fapi/v1/openAlgoOrders', 'GET /fapi/v1/allAlgoOrders'],
    ...['GET /fapi/v1/order', 'GET /fapi/v1/openOrders'],
  ],
  // A set value is not sent again: it would be refused where nothing is held.
  changeSettings: ['GET /fapi/v1/accountConfig', 'GET /fapi/v1/symbolConfig', 'POST /fapi/v1/leverage'],
  repeatSettings: ['GET /fapi/v1/accountConfig', 'GET /fapi/v1/symbolConfig'],
}

const binanceSpot: Calls = {
  place: 'ws order.place',
  placeStop: 'ws order.place',
  placePair: ['POST /api/v3/orderList/oco'],
  list: ['GET /api/v3/openOrders'],
  cancel: 'DELETE /api/v3/order',
  cancelStop: 'DELETE /api/v3/order',
  cancelPair: ['DELETE /api/v3/order', 'DELETE /api/v3/order'],
  balance: ['GET /api/v3/account'],
  reading: ['GET /api/v3/account', 'GET /api/v3/ticker/bookTicker', 'ws SUBSCRIBE', 'ws SUBSCRIBE'],
  looks: ['GET /api/v3/openOrders', 'GET /api/v3/order'],
}

const bybit: Calls = {
  place: 'ws order.create',
  placeStop: 'ws order.create',
  placePair: ['ws order.create', 'ws order.create'],
  list: ['GET /v5/order/realtime'],
  cancel: 'POST /v5/order/cancel',
  cancelStop: 'POST /v5/order/cancel',
  cancelPair: ['POST /v5/order/cancel', 'POST /v5/order/cancel'],
  balance: ['GET /v5/account/wallet-balance', 'GET /v5/position/list'],
  // The list of positions shows settings as well.
  reading: [
    ...['GET /v5/account/wallet-balance', 'GET /v5/position/list', 'GET /v5/position/list'],
    ...['GET /v5/account/info', 'GET /v5/market/tickers', 'ws subscribe'],
  ],
  looks: ['GET /v5/order/realtime', 'GET /v5/order/history', 'GET /v5/execution/list'],
  changeSettings: ['POST /v5/position/set-leverage'],
  repeatSettings: ['POST /v5/position/set-leverage'],
}

const bybitSpot: Calls = {
  ...bybit,
  // The exchange keeps no pairs: the other order of one is held until its turn.
  placePair: ['ws order.create'],
  cancelPair: ['POST /v5/order/cancel'],
  balance: ['GET /v5/account/wallet-balance', 'GET /v5/market/tickers'],
  // The stream of spot is there while a watch listens; without it an order that was only acknowledged is asked for.
  reading: [
    ...['GET /v5/account/wallet-balance', 'GET /v5/market/tickers', 'ws auth', 'ws subscribe'],
    ...[
      'GET /v5/order/realtime',
      'GET /v5/order/realtime',
      'GET /v5/order/realtime',
      'GET /v5/order/history',
    ],
  ],
}

const okxOrders = '/api/v5/trade/order'
// Without a stream what became of an order is asked for, by itself and every other second in a list.
const okxLooks = [`GET ${okxOrders}`, `GET ${okxOrders}-algo`]
const okxList = [`GET ${okxOrders}s-pending`, `GET ${okxOrders}s-algo-pending`]
const okxSettings = ['GET /api/v5/account/config', 'GET /api/v5/account/leverage-info']
const okxReading = ['GET /api/v5/account/balance', 'GET /api/v5/market/ticker']

const okx: Calls = {
  place: `POST ${okxOrders}`,
  placeStop: `POST ${okxOrders}-algo`,
  placePair: [`POST ${okxOrders}-algo`, `POST ${okxOrders}-algo`],
  list: okxList,
  cancel: 'POST /api/v5/trade/cancel-order',
  cancelStop: 'POST /api/v5/trade/cancel-algos',
  cancelPair: ['POST /api/v5/trade/cancel-algos', 'POST /api/v5/trade/cancel-algos'],
  balance: [...okxReading, 'GET /api/v5/account/positions', 'GET /api/v5/public/mark-price'],
  reading: [
    ...[...okxReading, 'GET /api/v5/account/positions', 'GET /api/v5/public/mark-price', ...okxSettings],
    ...[...okxLooks, ...okxLooks, ...okxLooks, ...okxLooks, ...okxList, ...okxList, ...okxReading],
  ],
  looks: okxLooks,
  // A watch that has not asked yet takes its orders for open, and ends them with the position.
  lateEnds: Array.from({ length: 4 }, () => [
    'POST /api/v5/trade/cancel-algos',
    'POST /api/v5/trade/cancel-order',
  ]).flat(),
  changeSettings: [...okxSettings, 'POST /api/v5/account/set-leverage'],
  repeatSettings: okxSettings,
}

const okxSpot: Calls = {
  ...okx,
  // The exchange keeps no pairs: the other order of one is held until its turn.
  placePair: [okx.placeStop],
  cancelPair: [okx.cancelStop],
  balance: okxReading,
}

function callsOf(exchange: string, isSpot: boolean): Calls {
  if (exchange === 'okx') return isSpot ? okxSpot : okx
  if (exchange === 'bybit') return isSpot ? bybitSpot : bybit
  return isSpot ? binanceSpot : usdm
}

/** A limit order that rests, which is not looked for while the account's stream is whole. */
export function restingOrder(exchange: string, isSpot: boolean): Asked {
  const { place, balance } = callsOf(exchange, isSpot)
  return { command: 'limit(buy, 0.01, 51000, tag=rests)', requests: [place], mayAsk: balance }
}

/** The nine commands on a market, each with what it asks once its account and prices are followed. */
export function nineCommands(exchange: string, isSpot: boolean): Asked[] {
  const calls = callsOf(exchange, isSpot)
  const { place, placeStop, placePair, list, cancel, cancelStop, balance, reading } = calls
  const { looks, cancelPair, changeSettings = [], repeatSettings = [], lateEnds = [] } = calls
  const isOne = placePair.length === 1
  const placeOco = isOne ? placePair : [placeStop, place]
  const cancelOco = isOne ? cancelPair : [cancelStop, cancel]
  const settings: Asked[] = [
    { command: 'exchangeSettings(leverage=7)', requests: changeSettings },
    { command: 'exchangeSettings(leverage=7)', requests: repeatSettings },
  ]
  const cancelOf = (...orders: string[]): Asked => ({
    command: 'cancel(tag=nine)',
    requests: [...list, ...orders, ...list],
  })
  const begin = (command: string, requests: readonly string[]): Asked[] => {
    // Each of two orders may be looked at in each way, and again where a read was late; what is late comes with the cancel.
    const mayAsk = Array.from({ length: 4 }, () => looks).flat()
    const ends = command.startsWith('limit') ? [cancel] : command.startsWith('one') ? cancelOco : cancelPair
    return [
      { command, requests, mayAsk },
      { ...cancelOf(...ends), mayAsk },
    ]
  }
  const asked: Asked[] = [
    // Earlier requests end meanwhile.
    { command: 'wait(0.3)', requests: [], mayAsk: [...looks, ...looks] },
    { command: 'market(buy, 0.02)', requests: [place] },
    { command: 'stopOrder(sell, 0.01, 58000, tag=nine)', requests: [placeStop] },
    cancelOf(cancelStop),
    { command: 'balance', requests: balance },
    { command: 'wait(0.1)', requests: [] },
    ...(isSpot ? [] : settings),
    ...begin('limit(buy, 0.01, 59000, tag=nine)', [place]),
    ...begin('stopOrTakeProfit(sell, 0.01, sl=58000, tp=62000, tag=nine)', placePair),
    ...begin('oneCancelsOther(tag=nine) { stop(sell, 0.01, 58000); limit(sell, 0.01, 62000) }', placeOco),
    { command: 'market(sell, 0.02)', requests: [place], mayAsk: [...looks, ...lateEnds] },
  ]
  return asked.map(({ mayAsk = [], ...one }) => ({ ...one, mayAsk: [...reading, ...mayAsk] }))
}

/** Requests that warm connections and measure clocks go out at their own times, with any command. */
const upkeep = new Set([
  ...['GET /fapi/v1/ping', 'GET /fapi/v1/time', 'GET /api/v3/ping', 'GET /api/v3/time'],
  ...['GET /v5/market/time', 'GET /api/v5/public/time'],
])

/** Returns surplus and missing requests; both are empty where all is as it should be. */
export function differences(sent: readonly string[], { requests, mayAsk = [] }: Asked) {
  const rest = sent.filter((request) => !upkeep.has(request))
  const missing = requests.filter((request) => !takeFrom(rest, request))
  for (const request of mayAsk) takeFrom(rest, request)
  return { missing, tooMuch: rest }
}

/**
 * Takes out of what was asked too much what lists resting orders at its own times, each half minute, which may fall into
 * any command: as often as it fell due in so many ms.
 */
export function withoutDueLists<Row extends { tooMuch: readonly string[] }>(
  rows: readonly Row[],
  exchange: string,
  isSpot: boolean,
  tookMs: number,
): Row[] {
  const due = 1 + Math.floor(tookMs / 30_000)
  const lists = Array.from({ length: due }, () => callsOf(exchange, isSpot).list).flat()
  return rows.map((row) => ({ ...row, tooMuch: row.tooMuch.filter((request) => !takeFrom(lists, request)) }))
}

function takeFrom(rest: string[], request: string): boolean {
  const at = rest.indexOf(request)
  if (at >= 0) rest.splice(at, 1)
  return at >= 0
}
