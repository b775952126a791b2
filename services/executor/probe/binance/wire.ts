import { receiveWindowMs } from '../../src/domain/order/doubt.ts'
import { createParamsSigner, createSigner, signParams } from '../../src/venue/binance/signer.ts'
import type { Answer, Line, StreamEvent } from '../exchange.ts'
import { at, jsonOf, textAt } from '../json-text.ts'
import { createRateLimiter, hideKeys, openSocket, type ProbeSocket, sendHttp } from '../transport.ts'

/** The fields of a request. */
export type Fields = Record<string, string>

/** Differences from a usual request. */
export interface Manner {
  /** `none` names no account, `key` names it without a signature. */
  signed?: 'none' | 'key' | 'wrong'
  /** The ms before now that it is signed for. */
  earlierMs?: number
}

/** Speaks with one of Binance's markets as it is, and records all of it. */
export interface BinanceWire {
  ask: (call: string, method: string, path: string, fields?: Fields, manner?: Manner) => Promise<Answer>
  /** Asks over the socket for orders. */
  askSocket: (call: string, method: string, fields: Fields) => Promise<Answer>
  /** Measures the exchange's clock, by which requests are signed; returns by how many ms it is ahead. */
  measureClock: () => Promise<number>
  events: StreamEvent[]
  openStream: () => Promise<ProbeSocket>
  now: () => number
  close: () => void
}

// Far below what each account and address may send.
const paceMs = 30

/** A wire on which nothing was sent yet. */
export function createBinanceWire(line: Line): BinanceWire {
  const { credentials, recorder, address } = line
  const isSpot = line.venue === 'binance-spot'
  const root = isSpot ? '/api/v3' : '/fapi/v1'
  const events: StreamEvent[] = []
  let aheadMs = 0
  let orders: ProbeSocket | undefined
  let asked = 0
  const now = (): number => Date.now() + aheadMs
  const sign = createSigner(credentials, receiveWindowMs)
  const signWrongly = createSigner({ ...credentials, secret: `${credentials.secret}x` }, receiveWindowMs)
  const signFields = createParamsSigner(credentials, receiveWindowMs)
  const limiter = createRateLimiter()
  const ask: BinanceWire['ask'] = async (call, method, path, fields = {}, { signed, earlierMs = 0 } = {}) => {
    await limiter(paceMs)
    const signer = signed === 'wrong' ? signWrongly : sign
    const isPlain = signed === 'none' || signed === 'key'
    const { body, headers } = isPlain
      ? { body: new URLSearchParams(fields).toString(), headers: keyOnly(credentials.apiKey, signed) }
      : signer(fields, now() - earlierMs)
    const isPosted = method === 'POST' || method === 'PUT'
    const url = `${address.rest}${path}${isPosted || body === '' ? '' : `?${body}`}`
    const sent = await sendHttp(line, url, { method, headers, ...(isPosted && { body }) })
    const json = jsonOf(sent.text)
    recorder.record({ call, asked: wordsOf(method, path, fields), status: sent.status, text: sent.text })
    return { ...sent, json, code: sent.status < 300 ? 0 : codeIn(json, 'code') }
  }
  const askSocket: BinanceWire['askSocket'] = async (call, method, fields) => {
    line.signal.throwIfAborted()
    if (orders?.isOpen() !== true) orders = await openOrders(line, isSpot)
    const id = `probe-${++asked}`
    const sentAt = performance.now()
    const answered = orders.next((text) => text.includes(`"${id}"`))
    orders.send(JSON.stringify({ id, method, params: signFields(fields, now()) }))
    const said = await answered
    if (said === undefined) {
      line.onLost()
      throw new Error(`no answer to ${method} over the socket`)
    }
    const text = hideKeys(said, credentials)
    const json = jsonOf(text)
    const status = Number(textAt(json, 'status'))
    recorder.record({ call, asked: wordsOf('socket', method, fields), status: 200, text })
    const code = status < 300 ? 0 : codeIn(json, 'error.code')
    return { status, text, json, code, sentAt, answeredAt: performance.now() }
  }
  return {
    ask,
    askSocket,
    close: () => orders?.close(),
    now,
    events,
    measureClock: async () => {
      const { json, sentAt, answeredAt } = await ask('time', 'GET', `${root}/time`, {}, { signed: 'none' })
      const serverTime = Number(textAt(json, 'serverTime'))
      if (serverTime > 0) aheadMs = Math.round(serverTime - (Date.now() - (answeredAt - sentAt) / 2))
      return aheadMs
    },
    openStream: async () => {
      const onMessage = (text: string, when: number): void => {
        const json = jsonOf(text)
        const event = isSpot ? at(json, 'event') : json
        if (event === undefined || textAt(event, 'e') === '') return
        const body = isSpot ? JSON.stringify(event) : text
        recorder.record({
          call: 'stream',
          asked: `event ${textAt(event, 'e')}`,
          status: 200,
          text: bodyOf(text, body),
        })
        events.push({ at: when, text: body, json: event })
      }
      return isSpot
        ? await openSpotStream(line, now, onMessage)
        : await openFuturesStream(line, ask, onMessage)
    },
  }
}

// The text of the event as it came: a value that is written anew may look otherwise.
function bodyOf(frame: string, otherwise: string): string {
  return /"event"\s*:\s*(\{.*\})\s*\}\s*$/s.exec(frame)?.[1] ?? otherwise
}

function keyOnly(apiKey: string, signed: 'none' | 'key'): Record<string, string> {
  return signed === 'key' ? { 'X-MBX-APIKEY': apiKey } : {}
}

function codeIn(json: unknown, path: string): number | undefined {
  const text = textAt(json, path)
  return text === '' ? undefined : Number(text)
}

const shown = [
  'type',
  'side',
  'timeInForce',
  'algoType',
  'newOrderRespType',
  'reduceOnly',
  'aboveType',
  'belowType',
]

function wordsOf(method: string, path: string, fields: Fields): string {
  const words = shown.filter((name) => fields[name] !== undefined).map((name) => `${name}=${fields[name]}`)
  return [method, path, ...words].join(' ')
}

async function openOrders({ address, signal }: Line, isSpot: boolean): Promise<ProbeSocket> {
  return await openSocket(
    `${address.orders}${isSpot ? '/ws-api/v3' : '/ws-fapi/v1'}`,
    () => undefined,
    signal,
  )
}

type OnMessage = (text: string, when: number) => void

async function openFuturesStream(
  { address, signal }: Line,
  ask: BinanceWire['ask'],
  onMessage: OnMessage,
): Promise<ProbeSocket> {
  const { json } = await ask('listenKey', 'POST', '/fapi/v1/listenKey', {}, { signed: 'key' })
  return await openSocket(`${address.stream}/private/ws/${textAt(json, 'listenKey')}`, onMessage, signal)
}

async function openSpotStream(
  { address, credentials, signal }: Line,
  now: () => number,
  onMessage: OnMessage,
): Promise<ProbeSocket> {
  const socket = await openSocket(`${address.stream}/ws-api/v3`, onMessage, signal)
  const params = signParams(credentials, { timestamp: now(), recvWindow: receiveWindowMs })
  const subscribed = socket.next((text) => text.includes('"subscribe"'))
  socket.send(JSON.stringify({ id: 'subscribe', method: 'userDataStream.subscribe.signature', params }))
  const answer = await subscribed
  if (answer === undefined || textAt(jsonOf(answer), 'status') !== '200')
    throw new Error(`the private stream was not opened: ${answer ?? 'no answer'}`)
  return socket
}
