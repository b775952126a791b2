import { waitFor } from '@tripline/testkit/wait-for'
import { socketPaths } from './binance-defaults.ts'
import { type Client, planOf, type Stage } from './binance-stage.ts'
import type { Finding } from './recording.ts'

/** Events by which the venue ends a connection: it is begun anew. */
const endings = ['listenKeyExpired', 'eventStreamTerminated', 'serverShutdown']

let marks = 0

/** An event on the private stream: read where it leaves no gap, before the next report. */
export async function replayEvent(stage: Stage, text: string): Promise<Finding> {
  const { kind, endpoint } = stage
  const client = await stage.client()
  const path = socketPaths[kind].stream
  if (kind === 'spot') endpoint.talk(path, answerSubscription)
  if (client.events.length === 0) {
    const stop = client.venue.follow?.((event) => client.events.push(event)) ?? (() => undefined)
    const { stop: stopMore } = client
    client.stop = () => {
      stop()
      stopMore()
    }
    await waitFor(() => client.events.length > 0)
  }
  const before = client.events.length
  const isWrapped = kind === 'futures' || /"(event|stream)":\s*[{n"]/.test(text)
  endpoint.push(path, isWrapped ? text : `{"subscriptionId":0,"event":${text}}`)
  const isEnd = endings.some((word) => text.includes(`"${word}"`))
  if (!isEnd) await mark(stage, client, path)
  else await waitFor(() => client.events.length > before)
  const received = client.events.slice(before, isEnd ? undefined : -1)
  return { isRead: isEnd || received.every(({ kind }) => kind !== 'gap'), value: received }
}

/** Reports an order that comes after all that was reported before, and waits for it. */
async function mark({ kind, endpoint }: Stage, { events }: Client, path: string): Promise<void> {
  marks++
  const at = Date.now() + marks
  const name = `mark-${marks}`
  const order = { s: 'BTCUSDT', c: name, S: 'BUY', o: 'LIMIT', X: 'NEW', x: 'NEW', i: `${9e9 + marks}` }
  const sizes = { q: '1', p: '1', P: '0', z: '0', Z: '0', Y: '0', ap: '0', l: '0', L: '0', t: -1 }
  const body = { ...order, ...sizes, n: '0', N: null, C: '', w: true, R: false, ps: 'BOTH', T: at }
  const event =
    kind === 'spot'
      ? { event: { e: 'executionReport', E: at, ...body } }
      : { e: 'ORDER_TRADE_UPDATE', E: at, T: at, o: body }
  endpoint.push(path, JSON.stringify(event))
  await waitFor(() => events.some((one) => one.kind === 'order' && one.order.clientOrderId === name))
}

function answerSubscription(said: string): string | undefined {
  const { id, method } = JSON.parse(said) as { id: string; method: string }
  return method.startsWith('userDataStream')
    ? JSON.stringify({ id, status: 200, result: { subscriptionId: 0 } })
    : undefined
}

/** The answer to an order over the socket for orders, under the id of the request. */
export async function replayOverSocket(stage: Stage, text: string): Promise<Finding> {
  const { kind, endpoint } = stage
  const { connections, venue } = await stage.client(endpoint.url.replace('http', 'ws'))
  await waitFor(() => connections.orderSockets.areGood())
  const symbol = /"symbol":"(\w+)"/.exec(text)?.[1] ?? 'BTCUSDT'
  endpoint.talk(socketPaths[kind].orders, (said) => {
    const { id, method } = JSON.parse(said) as { id: string; method: string }
    return method.includes('.place')
      ? text.replace(/"id":\s*("[^"]*"|\d+)/, `"id":"${id}"`)
      : answerSubscription(said)
  })
  const isConditional = /"(clientA|a)lgoId"/.test(text)
  const plan = planOf({ symbol, ...(isConditional && { type: 'stop', triggerPrice: '1' }) })
  const placement = await venue.place(plan, () => undefined)
  // One that bans the address is not heeded beyond its own recording.
  if (placement.outcome === 'refused') await stage.renew()
  return { isRead: ['done', 'refused'].includes(placement.outcome), value: placement }
}
