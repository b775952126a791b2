import { add } from '@tripline/proto/decimal'
import type { ClientOrderId } from '@tripline/proto/id'
import { testLog } from '@tripline/testkit/log'
import { waitFor } from '@tripline/testkit/wait-for'
import type { LookUp, OrderRef } from '../../src/domain/order/order.ts'
import { openBinanceFutures } from '../../src/venue/binance/futures.ts'
import { openBinanceSpot } from '../../src/venue/binance/spot.ts'
import { openConnections } from '../../src/venue/connections.ts'
import { probeBinance } from '../../src/venue/key/binance.ts'
import type { Venue, VenueOptions } from '../../src/venue/venue.ts'
import { heldForEver } from '../held.ts'
import { type BinanceKind, binanceDefaults, orderAbsent, orderOf } from './binance-defaults.ts'
import { replayEvent, replayOverSocket } from './binance-replay-sockets.ts'
import { type Client, planOf, type Stage } from './binance-stage.ts'
import { priceReplayer } from './price-replay.ts'
import { type Finding, type Recording, type Replayer, textOf } from './recording.ts'
import { type Answering, type VenueStandIn, venueStandIn } from './venue-stand-in.ts'

/** Replays recordings of one of Binance's markets. */
export async function binanceReplayer(kind: BinanceKind): Promise<Replayer> {
  const endpoint = await venueStandIn()
  const prices = priceReplayer(endpoint, kind === 'spot' ? 'binance-spot' : 'binance-futures')
  let current: Promise<Client> | undefined
  let ordersUrl: string | undefined
  const renew = async (): Promise<void> => {
    const opened = current
    current = undefined
    const client = await opened?.catch(() => undefined)
    client?.stop()
    await client?.connections.close()
  }
  const client = async (wantedUrl?: string): Promise<Client> => {
    if (wantedUrl !== ordersUrl) await renew()
    ordersUrl = wantedUrl
    current ??= openClient(kind, endpoint, ordersUrl)
    try {
      return await current
    } catch (error) {
      current = undefined
      throw error
    }
  }
  return {
    replay: async (recording) => {
      binanceDefaults(endpoint, kind)
      return await replay({ kind, endpoint, client, renew, prices }, recording)
    },
    stop: async () => {
      prices.stop()
      await renew()
      await endpoint.stop()
    },
  }
}

async function openClient(
  kind: BinanceKind,
  endpoint: VenueStandIn,
  ordersUrl: string | undefined,
): Promise<Client> {
  const connections = openConnections()
  const streamUrl = endpoint.url.replace('http', 'ws')
  const options: VenueOptions = {
    ...{ baseUrl: endpoint.url, streamUrl, ordersUrl, connections, parent: undefined, tenure: heldForEver },
    credentials: { apiKey: 'key', secret: 'secret' },
    log: testLog('corpus'),
  }
  const open = kind === 'spot' ? openBinanceSpot : openBinanceFutures
  const { client: parent } = await open(options)
  const { venue, stop = () => undefined } = await open({ ...options, parent })
  return { connections, venue, events: [], stop }
}

/** The calls whose answer a client reads once, when it is opened. */
const firstCalls = ['exchangeInfo', 'leverageBracket', 'time']

async function replay(stage: Stage, recording: Recording): Promise<Finding> {
  const { call, status } = recording
  const text = textOf(recording)
  if (call.startsWith('ws.')) return await replayOverSocket(stage, text)
  if (call === 'stream') return await replayEvent(stage, text)
  if (call.startsWith('prices.')) return await stage.prices.replay(call, text)
  const answering: Answering = () => ({ status: call === 'error' ? 400 : status, text })
  if (call === 'listenKey') return await replayKey(stage, answering)
  if (firstCalls.includes(call)) {
    await stage.renew()
    stage.endpoint.answer(`${rootOf(stage)}/${call}`, answering)
    const finding = await readMarkets(stage, call)
    await stage.renew()
    return finding
  }
  return await (stage.kind === 'spot' ? askSpot : askFutures)(stage, call, answering, JSON.parse(text))
}

function rootOf({ kind }: Stage): string {
  return kind === 'spot' ? '/api/v3' : '/fapi/v1'
}

/** A stream begins under the key that was answered. */
async function replayKey({ endpoint, client, renew }: Stage, answering: Answering): Promise<Finding> {
  await renew()
  endpoint.answer('/fapi/v1/listenKey', answering)
  const { venue } = await client()
  let isLive = false
  const stop = venue.follow?.(() => {
    isLive = true
  })
  const isRead = await waitFor(() => isLive, { deadlineMs: 2000 }).then(Boolean, () => false)
  stop?.()
  await renew()
  return { isRead, value: isRead ? 'followed' : 'not followed' }
}

async function readMarkets({ client }: Stage, call: string): Promise<Finding> {
  const { venue } = await client()
  const marketsNow = () => venue.symbols().map((symbol) => venue.market(symbol))
  const isReported = () => marketsNow().some((market) => market?.maxLeverage !== undefined)
  const isRead =
    call === 'leverageBracket'
      ? await waitFor(isReported, { deadlineMs: 5000 }).then(Boolean, () => false)
      : marketsNow().length > 0
  return { isRead, value: marketsNow() }
}

type Fields = Record<string, unknown>

async function askFutures(
  stage: Stage,
  call: string,
  answering: Answering,
  body: Fields | Fields[],
): Promise<Finding> {
  const { endpoint, client } = stage
  const { venue } = await client()
  const one = Array.isArray(body) ? (body[0] ?? {}) : body
  const symbol = typeof one['symbol'] === 'string' ? one['symbol'] : 'BTCUSDT'
  const clientOrderId = 'ours'
  switch (call) {
    case 'order.post':
      endpoint.answer('/fapi/v1/order', byMethod({ POST: answering, GET: orderAbsent }))
      return finding(await venue.place(planOf({ symbol }), () => undefined), ['done', 'refused'])
    case 'order.delete':
      endpoint.answer('/fapi/v1/order', byMethod({ DELETE: answering, GET: orderAbsent }))
      return finding(await venue.cancel({ symbol, clientOrderId, isConditional: false }), [
        'canceled',
        'gone',
      ])
    case 'order.get':
      endpoint.answer('/fapi/v1/order', answering)
      return finding(await venue.lookUp({ symbol, clientOrderId, isConditional: false }), ['found', 'absent'])
    case 'allOrders':
      endpoint.answer('/fapi/v1/order', orderAbsent)
      endpoint.answer('/fapi/v1/allOrders', answering)
      return finding(await lookUpEverywhere(venue, one), ['found'])
    case 'allAlgoOrders':
      endpoint.answer('/fapi/v1/allAlgoOrders', answering)
      return finding(await venue.lookUp(algoIn(one)), ['found'])
    case 'leverage':
    case 'marginType':
    case 'positionSide.dual':
      endpoint.answer(`/fapi/v1/${pathOf(call)}`, answering)
      await stage.renew()
      return finding(await (await client()).venue.changeSettings(symbol, changedBy[call]), [
        'changed',
        'unchanged',
        'refused',
      ])
    case 'orders.list':
      endpoint.answer('/fapi/v1/openOrders', answering)
      return finding(await venue.openOrders(symbol), ['read'])
    case 'algo.post':
      endpoint.answer('/fapi/v1/algoOrder', byMethod({ POST: answering, GET: orderAbsent }))
      return finding(
        await venue.place(planOf({ symbol, type: 'stop', triggerPrice: '1' }), () => undefined),
        ['done', 'refused'],
      )
    case 'algo.cancel':
      endpoint.answer('/fapi/v1/algoOrder', byMethod({ DELETE: answering, GET: orderAbsent }))
      return finding(await venue.cancel({ symbol, clientOrderId, isConditional: true }), ['canceled'])
    case 'algo.get': {
      const order = json(orderOf({ status: 'FILLED', executedQty: '1', avgPrice: '60000' }))
      endpoint.answer('/fapi/v1/order', order)
      endpoint.answer('/fapi/v1/algoOrder', answering)
      return finding(await venue.lookUp({ symbol, clientOrderId, isConditional: true }), ['found'])
    }
    case 'algo.list':
      endpoint.answer('/fapi/v1/openAlgoOrders', answering)
      return finding(await venue.openOrders(symbol), ['read'])
    case 'userTrades':
      // The cost is reported once the fills make up the whole order.
      endpoint.answer('/fapi/v1/order', json(orderOf({ status: 'FILLED', executedQty: quantityIn(body) })))
      endpoint.answer('/fapi/v1/userTrades', answering)
      return withCost(await venue.lookUp({ symbol, clientOrderId, isConditional: false }))
    default:
      endpoint.answer(
        `/fapi/${['account', 'positionRisk'].includes(call) ? 'v3' : 'v1'}/${pathOf(call)}`,
        answering,
      )
      // A client knows settings for a while.
      if (['accountConfig', 'symbolConfig'].includes(call)) await stage.renew()
      return finding(await (await client()).venue.read(symbol), ['read'])
  }
}

async function askSpot(
  { endpoint, client }: Stage,
  call: string,
  answering: Answering,
  body: Fields | Fields[],
): Promise<Finding> {
  const { venue } = await client()
  const one = Array.isArray(body) ? (body[0] ?? {}) : body
  const symbol = typeof one['symbol'] === 'string' ? one['symbol'] : 'BTCUSDT'
  const ref: OrderRef = { symbol, clientOrderId: 'ours', isConditional: false }
  switch (call) {
    case 'order.post':
      endpoint.answer('/api/v3/order', byMethod({ POST: answering, GET: orderAbsent }))
      return finding(await venue.place(planOf({ symbol }), () => undefined), ['done', 'refused'])
    case 'order.get':
      endpoint.answer('/api/v3/order', answering)
      return finding(await venue.lookUp(ref), ['found', 'absent'])
    case 'cancel': {
      const name = one['origClientOrderId']
      endpoint.answer('/api/v3/order', byMethod({ DELETE: answering, GET: orderAbsent }))
      const own = { ...ref, clientOrderId: typeof name === 'string' ? name : 'ours' }
      return finding(await venue.cancel(own), ['canceled', 'gone'])
    }
    case 'error':
      endpoint.answer('/api/v3/order', byMethod({ DELETE: answering, GET: orderAbsent }))
      return finding(await venue.cancel(ref), ['gone', 'refused'])
    case 'oco':
      return await replayPair(endpoint, venue, answering, one)
    case 'allOrders':
      endpoint.answer('/api/v3/order', orderAbsent)
      endpoint.answer('/api/v3/allOrders', answering)
      return finding(await lookUpEverywhere(venue, one), ['found'])
    case 'myTrades':
      endpoint.answer('/api/v3/order', json(orderOf({ status: 'FILLED', executedQty: quantityIn(body) })))
      endpoint.answer('/api/v3/myTrades', answering)
      return withCost(await venue.lookUp(ref))
    case 'openOrders':
      endpoint.answer('/api/v3/openOrders', answering)
      return finding(await venue.openOrders(symbol), ['read'])
    case 'referencePrice':
    case 'avgPrice':
      endpoint.answer(`/api/v3/${call}`, answering)
      return finding(await venue.read(symbol, { isBandPriceAsked: true }), ['read'])
    case 'account.apiRestrictions':
      endpoint.answer('/sapi/v1/account/apiRestrictions', answering)
      return await testKey(endpoint)
    default:
      endpoint.answer(`/api/v3/${pathOf(call)}`, answering)
      return finding(await venue.read(symbol), ['read'])
  }
}

const changedBy = {
  leverage: { leverage: '7' },
  marginType: { marginMode: 'isolated' },
  'positionSide.dual': { positionMode: 'hedge' },
} as const

/** Looks for the order of a row that its name does not show. */
async function lookUpEverywhere(venue: Venue, row: Fields): Promise<LookUp> {
  const ref = { symbol: String(row['symbol']), clientOrderId: String(row['clientOrderId']) }
  return await venue.lookUp({ ...ref, isConditional: false }, 'everywhere')
}

function algoIn(row: Fields): OrderRef {
  return { symbol: String(row['symbol']), clientOrderId: String(row['clientAlgoId']), isConditional: true }
}

const pathOf = (call: string): string => call.replace('.', '/')

async function testKey({ url }: VenueStandIn): Promise<Finding> {
  const credentials = { apiKey: 'key', secret: 'secret' }
  const place = { credentials, market: 'binance_spot', network: 'mainnet', addressOf: () => url } as const
  const { key } = await probeBinance(place)
  return { isRead: key !== undefined, value: key }
}

/** An order list, as the answer to the placing of its pair or to the cancel of one of them. */
async function replayPair(
  endpoint: VenueStandIn,
  { placeOco, cancel }: Venue,
  answering: Answering,
  list: Fields,
): Promise<Finding> {
  const orders = Array.isArray(list['orders']) ? (list['orders'] as Fields[]) : []
  const [one, other] = orders.map((order) => String(order['clientOrderId']) as ClientOrderId)
  if (one === undefined || other === undefined) return { isRead: false, value: 'no pair' }
  const symbol = String(list['symbol'])
  if (list['listOrderStatus'] === 'ALL_DONE') {
    endpoint.answer('/api/v3/order', byMethod({ DELETE: answering, GET: orderAbsent }))
    return finding(await cancel({ symbol, clientOrderId: one, isConditional: false }), ['canceled'])
  }
  endpoint.answer('/api/v3/orderList/oco', answering)
  const stop = planOf({ symbol, clientOrderId: one, type: 'stop', side: 'sell', triggerPrice: '1' })
  const limit = planOf({ symbol, clientOrderId: other, side: 'sell', price: '3' })
  const placed = (await placeOco?.([stop, limit], () => undefined)) ?? []
  return { isRead: placed.length > 0 && placed.every(({ outcome }) => outcome === 'done'), value: placed }
}

function byMethod(answers: Partial<Record<string, Answering>>): Answering {
  return (query, body, method) =>
    answers[method ?? '']?.(query, body, method) ?? {
      status: 405,
      text: '{"code":-1000,"msg":"not expected"}',
    }
}

function json(value: object): Answering {
  return () => ({ status: 200, text: JSON.stringify(value) })
}

function quantityIn(rows: Fields | Fields[]): string {
  const quantities = [rows].flat().map(({ qty }) => (typeof qty === 'object' ? '0' : `${qty ?? 0}`))
  return quantities.reduce(add, '0')
}

function withCost(found: Awaited<ReturnType<Venue['lookUp']>>): Finding {
  return { isRead: found.outcome === 'found' && found.order.fee !== null, value: found }
}

function finding(outcome: { outcome: string }, asRead: readonly string[]): Finding {
  return { isRead: asRead.includes(outcome.outcome), value: outcome }
}
