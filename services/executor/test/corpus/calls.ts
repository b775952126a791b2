import { type Recording, textOf } from './recording.ts'

/** The calls of each market that the product makes, and the events that it receives, as recordings name them. */
export const callsOf: Readonly<Record<Recording['venue'], readonly string[]>> = {
  'binance-spot': [
    ...['time', 'exchangeInfo', 'account', 'account.apiRestrictions', 'ticker.bookTicker'],
    ...['referencePrice', 'avgPrice'],
    ...['order.post', 'order.get', 'cancel', 'error', 'oco', 'openOrders', 'allOrders', 'myTrades'],
    ...['ws.order', 'prices.book', 'prices.reference'],
    ...['executionReport', 'listStatus', 'outboundAccountPosition', 'balanceUpdate', 'externalLockUpdate'],
    ...['eventStreamTerminated', 'serverShutdown'],
  ],
  'binance-futures': [
    ...['time', 'exchangeInfo', 'leverageBracket', 'ticker.bookTicker', 'premiumIndex', 'listenKey'],
    ...['account', 'accountConfig', 'symbolConfig', 'positionRisk'],
    ...['leverage', 'marginType', 'positionSide.dual'],
    ...['order.post', 'order.get', 'order.delete', 'orders.list', 'allOrders', 'userTrades'],
    ...['algo.post', 'algo.get', 'algo.cancel', 'algo.list', 'allAlgoOrders'],
    ...['ws.order', 'ws.algo', 'prices.book', 'prices.mark'],
    ...['ORDER_TRADE_UPDATE', 'ALGO_UPDATE', 'ACCOUNT_UPDATE', 'ACCOUNT_CONFIG_UPDATE', 'listenKeyExpired'],
    ...['TRADE_LITE', 'CONDITIONAL_ORDER_TRIGGER_REJECT', 'MARGIN_CALL', 'STRATEGY_UPDATE', 'GRID_UPDATE'],
  ],
  'bybit-linear': [
    ...bothOfBybit(),
    ...['account.info', 'account.set-margin-mode'],
    ...['position.list', 'position.set-leverage', 'position.switch-mode'],
    ...['ws.position', 'ws.execution', 'ws.wallet', 'prices.book', 'prices.mark'],
  ],
  'bybit-spot': bothOfBybit(),
}

function bothOfBybit(): string[] {
  return [
    ...['market.time', 'market.instruments-info', 'market.tickers', 'user.query-api'],
    ...['account.wallet-balance', 'order.create', 'order.cancel', 'order.realtime', 'order.history'],
    ...['execution.list', 'ws.order.create', 'ws.order'],
  ]
}

/** Calls and events that come in one form or two, or of which only the name matters. */
export const fewFormed: ReadonlySet<string> = new Set([
  ...[
    'time',
    'market.time',
    'balanceUpdate',
    'externalLockUpdate',
    'eventStreamTerminated',
    'serverShutdown',
  ],
  ...['ACCOUNT_CONFIG_UPDATE', 'listenKeyExpired', 'TRADE_LITE', 'CONDITIONAL_ORDER_TRIGGER_REJECT'],
  ...['MARGIN_CALL', 'STRATEGY_UPDATE', 'GRID_UPDATE'],
])

/** Returns the call that a recording answers, or the event of a private stream of Binance. */
export function calledIn(recording: Recording): string {
  if (recording.call !== 'stream') return recording.call
  const frame: unknown = JSON.parse(textOf(recording))
  const { event, data } = frame as { event?: unknown; data?: unknown }
  const { e } = (event ?? data ?? frame) as { e: string }
  return e
}
