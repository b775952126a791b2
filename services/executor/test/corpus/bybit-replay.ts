import type { ClientOrderId } from '@tripline/proto/id'
import { testLog } from '@tripline/testkit/log'
import { waitFor } from '@tripline/testkit/wait-for'
import type { LookUp, OrderPlan } from '../../src/domain/order/order.ts'
import { openBybitLinear } from '../../src/venue/bybit/linear.ts'
import { openBybitSpot } from '../../src/venue/bybit/spot.ts'
import { openConnections, type VenueConnections } from '../../src/venue/connections.ts'
import { probeBybit } from '../../src/venue/key/bybit.ts'
import type { OpenedVenue, Venue, VenueEvent, VenueOptions } from '../../src/venue/venue.ts'
import { heldForEver } from '../held.ts'
import { bybitDefaults, orderRow } from './bybit-defaults.ts'
import { type PriceReplayer, priceReplayer } from './price-replay.ts'
import { type Finding, type Recording, type Replayer, textOf } from './recording.ts'
import { type Answering, type VenueStandIn, venueStandIn } from './venue-stand-in.ts'

const symbol = 'BTCUSDT'
const ours = { symbol, clientOrderId: 'ours', isConditional: false }
const credentials = { apiKey: 'key', secret: 'secret' }
// The venue allows an address no more than 550 requests in 5 s, so a client is renewed before that.
const mostReplays = 60

/** A client of the stand-in, and what it says of itself. */
interface Client {
  connections: VenueConnections
  opened: OpenedVenue
  events: VenueEvent[]
  warnings: string[]
  unfollow: (() => void) | undefined
  replays: number
}

interface ReplayState {
  venue: VenueStandIn
  category: 'linear' | 'spot'
  prices: PriceReplayer
  client: Client | undefined
  planned: number
}

/** Replays recordings of one of Bybit's markets. */
export async function bybitReplayer(category: 'linear' | 'spot'): Promise<Replayer> {
  const venue = await venueStandIn({ 'x-bapi-limit': '100000' })
  const prices = priceReplayer(venue, 'bybit-linear')
  const state: ReplayState = { venue, category, prices, client: undefined, planned: 0 }
  bybitDefaults(venue, category)
  return {
    replay: async (recording) => await replay(state, recording),
    stop: async () => {
      prices.stop()
      await endClient(state)
      await venue.stop()
    },
  }
}

async function replay(state: ReplayState, recording: Recording): Promise<Finding> {
  const { venue, category } = state
  const text = textOf(recording)
  bybitDefaults(venue, category)
  if (recording.call.startsWith('prices.')) return await state.prices.replay(recording.call, text)
  if (recording.call.startsWith('ws.')) return await replayFrame(state, recording.call, text)
  const path = `/v5/${recording.call.replace('.', '/')}`
  const answering: Answering = () => ({ status: recording.status, text })
  // Before an order is looked for in the history it is not among the others.
  if (path === '/v5/order/history' || path === '/v5/execution/list') venue.answer('/v5/order/realtime', empty)
  if (path === '/v5/execution/list') venue.answer('/v5/order/history', empty)
  // A first client has its own time and markets.
  if (firstPaths.includes(path)) await endClient(state)
  else await clientOf(state)
  if (path !== '/v5/market/instruments-info') venue.answer(path, answering)
  else answerMarkets(venue, answering)
  try {
    return await ask(state, path)
  } catch (error) {
    return { isRead: false, value: String(error) }
  } finally {
    // A stream that did not report an order that was placed is begun anew a while later.
    if (firstPaths.includes(path) || path.startsWith('/v5/order/c')) await endClient(state)
  }
}

// Further pages, and lists of markets of other kinds, are not what was recorded.
function answerMarkets(venue: VenueStandIn, answering: Answering): void {
  venue.answer('/v5/market/instruments-info', (query, body) => {
    const isOther = query.has('cursor') || query.get('status') === 'PreLaunch'
    return (isOther ? empty : answering)(query, body)
  })
}

const firstPaths = ['/v5/market/time', '/v5/market/instruments-info']
const empty: Answering = () => ({ status: 200, text: '{"retCode":0,"retMsg":"OK","result":{"list":[]}}' })

async function ask(state: ReplayState, path: string): Promise<Finding> {
  switch (path) {
    case '/v5/order/realtime':
      return finding(await (await venueOf(state)).openOrders(symbol), ['read'])
    case '/v5/order/history':
      return finding(await (await venueOf(state)).lookUp(ours), ['found', 'absent'])
    case '/v5/execution/list':
      return executionsIn(await (await venueOf(state)).lookUp(ours, 'everywhere'))
    case '/v5/order/create':
      return finding(await (await venueOf(state)).place(planOf(state), () => undefined), ['done', 'refused'])
    case '/v5/order/cancel': {
      state.venue.answer('/v5/order/realtime', orderRow(state.category, 'Cancelled'))
      return finding(await (await venueOf(state)).cancel(ours), ['canceled', 'gone', 'refused'])
    }
    case '/v5/position/set-leverage':
      return await change(state, { leverage: '7' })
    case '/v5/position/switch-mode':
      return await change(state, { positionMode: 'hedge' })
    case '/v5/account/set-margin-mode':
      return await change(state, { marginMode: 'isolated' })
    case '/v5/user/query-api':
      return await testKey(state)
    case '/v5/market/instruments-info': {
      const venue = await venueOf(state)
      const markets = venue.symbols().map((name) => venue.market(name))
      return { isRead: markets.length > 0, value: markets }
    }
    default:
      return finding(await (await venueOf(state)).read(symbol), ['read', 'refused'])
  }
}

/** Executions of an order that is not to be seen show that there is one: then it is not absent. */
function executionsIn(found: LookUp): Finding {
  const areShown = found.outcome === 'unreachable' && found.cause.includes('executions')
  return { isRead: areShown || found.outcome === 'absent', value: found }
}

async function change(state: ReplayState, changes: Parameters<Venue['changeSettings']>[1]): Promise<Finding> {
  return finding(await (await venueOf(state)).changeSettings(symbol, changes), [
    'changed',
    'unchanged',
    'refused',
  ])
}

async function testKey({ venue, category }: ReplayState): Promise<Finding> {
  const market = category === 'linear' ? 'bybit' : 'bybit_spot'
  const { key } = await probeBybit({ credentials, market, network: 'mainnet', addressOf: () => venue.url })
  return { isRead: key !== undefined, value: key }
}

function finding(outcome: { outcome: string }, asRead: readonly string[]): Finding {
  return { isRead: asRead.includes(outcome.outcome), value: outcome }
}

function planOf(state: ReplayState): OrderPlan {
  state.planned++
  return {
    ...{ clientOrderId: `ours-${state.planned}` as ClientOrderId, symbol, type: 'limit', side: 'buy' },
    ...{ quantity: '0.01', price: '59000', reduceOnly: false, positionSide: 'both', sizing: '' },
  }
}

async function replayFrame(state: ReplayState, call: string, text: string): Promise<Finding> {
  return call === 'ws.order.create'
    ? await replayOverSocket(state, text)
    : await replayUpdate(state, call.slice('ws.'.length), text)
}

/** An order over a socket whose answer is the recorded one, with the id of the request. */
async function replayOverSocket(state: ReplayState, text: string): Promise<Finding> {
  const connections = openConnections()
  const opened = await openOf(state, { connections, ordersUrl: wsOf(state.venue) })
  let answered = 0
  state.venue.talk('/v5/trade', (said) => {
    const { op, reqId } = JSON.parse(said)
    if (op !== 'order.create') return JSON.stringify({ reqId, retCode: 0, retMsg: 'OK', op })
    answered++
    return text.replace(/"reqId":\s*"[^"]*"/, `"reqId":"${reqId}"`)
  })
  try {
    // The first order opens the socket, and goes over HTTP.
    const placement = await waitFor(async () => {
      const one = await opened.venue.place(planOf(state), () => undefined)
      return answered > 0 && one
    })
    return finding(placement, ['done', 'refused'])
  } finally {
    opened.stop?.()
    await connections.close()
  }
}

/** An event on the private stream; one that can be read is behind it, and shows when it was taken. */
async function replayUpdate(state: ReplayState, topic: string, text: string): Promise<Finding> {
  const { venue, category } = state
  const { events, warnings, opened } = await followingOf(state)
  if (category === 'linear') await opened.venue.read(symbol, { scope: 'all' })
  const before = { events: events.length, warnings: warnings.length }
  state.planned++
  const last = `last-${state.planned}`
  const name = topic === 'wallet' ? topic : `${topic}.${category}`
  const frame = text.replace(/"topic":\s*"[^"]*"/, `"topic":"${name}"`)
  const isTaken = (): boolean =>
    events.some((event) => event.kind === 'order' && event.order.clientOrderId === last)
  // A client may begin its stream anew just now: it is reported again.
  await waitFor(async () => {
    venue.push('/v5/private', frame)
    venue.push('/v5/private', JSON.stringify({ topic: `order.${category}`, data: [orderOf(last)] }))
    return await waitFor(isTaken, { deadlineMs: 1000 })
  })
  return {
    isRead: warnings.length === before.warnings,
    value: events
      .slice(before.events)
      .filter((event) => event.kind !== 'order' || event.order.clientOrderId !== last),
  }
}

function orderOf(orderLinkId: string) {
  return {
    orderId: orderLinkId,
    orderLinkId,
    symbol,
    side: 'Buy',
    orderStatus: 'New',
    qty: '1',
    cumExecQty: '0',
  }
}

const wsOf = ({ url }: VenueStandIn): string => url.replace('http', 'ws')

async function venueOf(state: ReplayState): Promise<Venue> {
  return (await clientOf(state)).opened.venue
}

async function clientOf(state: ReplayState): Promise<Client> {
  if (state.client !== undefined && state.client.replays >= mostReplays) await endClient(state)
  const client = state.client ?? (await newClient(state))
  state.client = client
  client.replays++
  return client
}

/** The client, whose private stream is there. */
async function followingOf(state: ReplayState): Promise<Client> {
  const client = await clientOf(state)
  const { events, opened } = client
  client.unfollow ??= opened.venue.follow?.((event) => void events.push(event))
  await waitFor(() => events.length > 0)
  return client
}

async function newClient(state: ReplayState): Promise<Client> {
  const connections = openConnections()
  const warnings: string[] = []
  const log = Object.create(testLog('venue'), {
    warn: { value: (_fields: unknown, text = '') => void warnings.push(text) },
  })
  const opened = await openOf(state, { connections, log })
  return { connections, opened, events: [], warnings, unfollow: undefined, replays: 0 }
}

async function openOf(
  { venue, category }: ReplayState,
  more: Pick<VenueOptions, 'connections'> & Partial<VenueOptions>,
): Promise<OpenedVenue> {
  const open = category === 'linear' ? openBybitLinear : openBybitSpot
  return await open({
    ...{ baseUrl: venue.url, streamUrl: wsOf(venue), credentials, parent: undefined },
    ...{ tenure: heldForEver, log: testLog('venue'), ...more },
  })
}

async function endClient(state: ReplayState): Promise<void> {
  const { client } = state
  state.client = undefined
  client?.unfollow?.()
  client?.opened.stop?.()
  await client?.connections.close()
}
