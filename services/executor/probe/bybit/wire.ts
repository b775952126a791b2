import { createHmac } from 'node:crypto'
import { receiveWindowMs } from '../../src/domain/order/doubt.ts'
import { createSigner } from '../../src/venue/bybit/signer.ts'
import type { Answer, Line, StreamEvent } from '../exchange.ts'
import { jsonOf, textAt } from '../json-text.ts'
import { createRateLimiter, hideKeys, openSocket, type ProbeSocket, sendHttp } from '../transport.ts'

/** The fields of a request. */
export type Fields = Record<string, string | number | boolean>

/** Differences from a usual request. */
interface Manner {
  signed?: 'none' | 'wrong'
  /** The ms before now that it is signed for. */
  earlierMs?: number
  /** The name it is recorded by, if not its call. */
  as?: string
}

/** Speaks with one of Bybit's markets as it is, and records all of it. */
export interface BybitWire {
  get: (call: string, fields?: Fields, manner?: Manner) => Promise<Answer>
  post: (call: string, fields: Fields, manner?: Manner) => Promise<Answer>
  /** Sends an order over the socket for orders. */
  askSocket: (op: string, fields: Fields, as?: string) => Promise<Answer>
  /** Measures the exchange's clock, by which requests are signed; returns by how many ms it is ahead. */
  measureClock: () => Promise<number>
  events: StreamEvent[]
  openStream: () => Promise<ProbeSocket>
  close: () => void
}

const loginMs = 10_000
// Ten orders a second on linear markets, and fifty reads.
const orderPaceMs = 130
const readPaceMs = 25

/** A wire on which nothing was sent yet. */
export function createBybitWire(line: Line): BybitWire {
  const { credentials, recorder, address } = line
  const { apiKey, secret } = credentials
  const events: StreamEvent[] = []
  let aheadMs = 0
  let orders: ProbeSocket | undefined
  let asked = 0
  const now = (): number => Date.now() + aheadMs
  const limiter = createRateLimiter()
  const send = async (
    call: string,
    method: string,
    fields: Fields,
    { signed, earlierMs = 0, as = call }: Manner = {},
  ) => {
    await limiter(method === 'POST' ? orderPaceMs : readPaceMs)
    const timestamp = now() - earlierMs
    const key = signed === 'wrong' ? `${secret}x` : secret
    const query = method === 'GET' ? new URLSearchParams(fields as Record<string, string>).toString() : ''
    const { body, headers } = createSigner({ apiKey, secret: key }, receiveWindowMs).body(fields, timestamp)
    const signature = createHmac('sha256', key)
      .update(`${timestamp}${apiKey}${receiveWindowMs}${query}`)
      .digest('hex')
    const signedHeaders = method === 'GET' ? { ...headers, 'X-BAPI-SIGN': signature } : headers
    const url = `${address.rest}/v5/${call.replace('.', '/')}${query === '' ? '' : `?${query}`}`
    const sent = await sendHttp(line, url, {
      ...{ method, headers: signed === 'none' ? {} : signedHeaders },
      ...(method === 'POST' && { body }),
    })
    recorder.record({
      call: as,
      asked: wordsOf(method, call, fields),
      status: sent.status,
      text: sent.text,
    })
    return answerOf(sent)
  }
  const openOrders = async (): Promise<ProbeSocket> => {
    const socket = await openSocket(`${address.orders}/v5/trade`, () => undefined, line.signal)
    await logIn(socket, line, now())
    return socket
  }
  return {
    get: async (call, fields = {}, manner) => await send(call, 'GET', fields, manner),
    post: async (call, fields, manner) => await send(call, 'POST', fields, manner),
    askSocket: async (op, fields, as = `ws.${op}`) => {
      line.signal.throwIfAborted()
      if (orders?.isOpen() !== true) orders = await openOrders()
      await limiter(orderPaceMs)
      const reqId = `probe-${++asked}`
      const header = { 'X-BAPI-TIMESTAMP': `${now()}`, 'X-BAPI-RECV-WINDOW': `${receiveWindowMs}` }
      const sentAt = performance.now()
      const answered = orders.next((text) => text.includes(`"${reqId}"`))
      orders.send(JSON.stringify({ reqId, op, header, args: [fields] }))
      const said = await answered
      if (said === undefined) {
        line.onLost()
        throw new Error(`no answer to ${op} over the socket`)
      }
      const text = hideKeys(said, credentials)
      recorder.record({ call: as, asked: wordsOf('socket', op, fields), status: 200, text })
      return answerOf({ status: 200, text, sentAt, answeredAt: performance.now() })
    },
    measureClock: async () => {
      const { json, sentAt, answeredAt } = await send('market.time', 'GET', {}, { signed: 'none' })
      const time = Number(textAt(json, 'time'))
      if (time > 0) aheadMs = Math.round(time - (Date.now() - (answeredAt - sentAt) / 2))
      return aheadMs
    },
    events,
    openStream: async () => {
      const onMessage = (text: string, when: number): void => {
        const json = jsonOf(text)
        const [topic = ''] = textAt(json, 'topic').split('.')
        if (topic === '') return
        recorder.record({ call: `ws.${topic}`, asked: `topic ${textAt(json, 'topic')}`, status: 200, text })
        events.push({ at: when, text, json })
      }
      return await openPrivate(line, now(), onMessage)
    },
    close: () => orders?.close(),
  }
}

function answerOf(sent: Omit<Answer, 'json' | 'code'>): Answer {
  const json = jsonOf(sent.text)
  const code = textAt(json, 'retCode')
  return { ...sent, json, code: code === '' ? undefined : Number(code) }
}

const shown = ['category', 'side', 'orderType', 'timeInForce', 'orderFilter', 'reduceOnly']

function wordsOf(method: string, call: string, fields: Fields): string {
  const words = shown.filter((name) => fields[name] !== undefined).map((name) => `${name}=${fields[name]}`)
  return [method, call, ...words].join(' ')
}

async function openPrivate(
  line: Line,
  now: number,
  onMessage: (text: string, when: number) => void,
): Promise<ProbeSocket> {
  const socket = await openSocket(`${line.address.stream}/v5/private`, onMessage, line.signal)
  await logIn(socket, line, now)
  const category = line.venue === 'bybit-linear' ? 'linear' : 'spot'
  const args = [`order.${category}`, `execution.${category}`, 'wallet']
  if (category === 'linear') args.push('position.linear')
  await command(socket, { op: 'subscribe', args })
  return socket
}

async function logIn(socket: ProbeSocket, { credentials }: Line, now: number): Promise<void> {
  const args = createSigner(credentials, receiveWindowMs).login(now + loginMs)
  await command(socket, { op: 'auth', args })
}

async function command(socket: ProbeSocket, frame: { op: string; args: readonly unknown[] }): Promise<void> {
  const answered = socket.next((text) => text.includes(`"${frame.op}"`))
  socket.send(JSON.stringify(frame))
  const json = jsonOf((await answered) ?? '')
  if (textAt(json, 'success') !== 'true' && textAt(json, 'retCode') !== '0')
    throw new Error(
      `${frame.op} was refused: ${textAt(json, 'ret_msg') || textAt(json, 'retMsg') || 'no answer'}`,
    )
}
