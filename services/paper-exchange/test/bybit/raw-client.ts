import { once } from 'node:events'
import { WebSocket } from 'ws'
import { eventually } from '../contract/suite.ts'
import { type Answered, ask, type Credentials, type Paper, sign } from '../paper.ts'

/** The venue's answer over HTTP. */
export type Envelope = Readonly<{
  retCode: number
  retMsg: string
  result: Record<string, unknown>
  retExtInfo: unknown
  time: number
}>

/** The answer with its body as the venue's envelope. */
export type Reply = Omit<Answered, 'body'> & Readonly<{ body: Envelope }>

type Headers = Readonly<Record<string, string>>

/** The headers that sign these bytes. */
export function signed(
  { apiKey, secret }: Credentials,
  bytes: string,
  { at = Date.now(), window = '5000' }: { at?: number; window?: string } = {},
): Headers {
  const signature = sign({ apiKey, secret }, `${at}${apiKey}${window}${bytes}`)
  const base = { 'X-BAPI-API-KEY': apiKey, 'X-BAPI-TIMESTAMP': `${at}`, 'X-BAPI-SIGN': signature }
  return window === '' ? base : { ...base, 'X-BAPI-RECV-WINDOW': window }
}

/** Sends exactly these bytes. */
export async function send(
  { root }: Pick<Paper, 'root'>,
  method: string,
  path: string,
  bytes: string,
  headers: Headers = {},
): Promise<Reply> {
  const url = method === 'GET' ? `${root}${path}${bytes === '' ? '' : `?${bytes}`}` : `${root}${path}`
  const answered = await ask(url, { method, headers, ...(method !== 'GET' && { body: bytes }) })
  return { ...answered, body: answered.body as Envelope }
}

/** A signed GET. */
export async function get(
  paper: Pick<Paper, 'root'>,
  credentials: Credentials,
  path: string,
  values: Readonly<Record<string, string | number>> = {},
): Promise<Reply> {
  const texts = Object.entries(values).map(([name, value]) => [name, String(value)])
  const query = new URLSearchParams(Object.fromEntries(texts)).toString()
  return await send(paper, 'GET', path, query, signed(credentials, query))
}

/** A signed POST. */
export async function post(
  paper: Pick<Paper, 'root'>,
  credentials: Credentials,
  path: string,
  values: unknown,
): Promise<Reply> {
  const body = JSON.stringify(values)
  return await send(paper, 'POST', path, body, signed(credentials, body))
}

/** A frame of the venue. */
export type Frame = Readonly<Record<string, unknown>>

/** A socket of the venue with everything it said. */
export async function open({ root }: Pick<Paper, 'root'>, path: string) {
  const socket = new WebSocket(`${root.replace('http', 'ws')}/bybit${path}`)
  const frames: Frame[] = []
  socket.on('message', (text) => void frames.push(JSON.parse(String(text))))
  await once(socket, 'open')
  const say = (value: unknown): void => socket.send(typeof value === 'string' ? value : JSON.stringify(value))
  return {
    frames,
    say,
    /** Says something, and gives the next frame that is as wanted. */
    ask: async (value: unknown, isWanted: (frame: Frame) => boolean = () => true): Promise<Frame> => {
      const from = frames.length
      say(value)
      const found = await eventually(
        () => frames.slice(from).find(isWanted),
        (frame) => frame !== undefined,
      )
      return found ?? {}
    },
    /** The frames of a topic, once there are as many. */
    reported: async (topic: string, count: number): Promise<Frame[]> =>
      await eventually(
        () => frames.filter((frame) => frame['topic'] === topic),
        (received) => received.length >= count,
      ),
    /** Closes the socket, if it is not closed already. */
    close: async () => {
      if (socket.readyState === WebSocket.CLOSED) return
      const closed = once(socket, 'close')
      socket.close()
      await closed
    },
  }
}

/** Returns the frame by which a socket is let in. */
export function auth({ apiKey, secret }: Credentials, expires = Date.now() + 5_000) {
  return { op: 'auth', args: [apiKey, expires, sign({ apiKey, secret }, `GET/realtime${expires}`)] }
}
