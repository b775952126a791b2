import { WebSocket } from 'ws'
import { eventually } from '../contract/suite.ts'
import { type Credentials, type Paper, sign } from '../paper.ts'

type Frame = Readonly<Record<string, unknown>>

/** A bare client of one socket that keeps every frame it is sent. */
export async function openSocket({ root }: Pick<Paper, 'root'>, path: string) {
  const socket = new WebSocket(`${root.replace('http', 'ws')}${path}`)
  const frames: Frame[] = []
  socket.on('message', (bytes) => frames.push(JSON.parse(String(bytes)) as Frame))
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve())
    socket.once('error', reject)
  })
  let lastId = 0
  const ask = async (method: string, params?: unknown): Promise<Frame> => {
    lastId += 1
    const id = lastId
    socket.send(JSON.stringify({ id, method, params }))
    return await answerTo(id)
  }
  const answerTo = async (id: number): Promise<Frame> =>
    (await eventually(
      () => frames.find((frame) => frame['id'] === id),
      (frame) => frame !== undefined,
    )) ?? {}
  return { socket, frames, ask, answerTo, close: () => socket.terminate() }
}

export type SocketClient = Awaited<ReturnType<typeof openSocket>>

/** Parameters with time, key and signature, as a request over a socket has them. */
export function signedParams(
  credentials: Credentials,
  values: Readonly<Record<string, string | number | boolean>>,
) {
  const params: Record<string, string | number | boolean> = {
    timestamp: Date.now(),
    apiKey: credentials.apiKey,
    ...values,
  }
  const payload = Object.keys(params)
    .sort()
    .map((name) => `${name}=${params[name]}`)
    .join('&')
  return { ...params, signature: sign(credentials, payload) }
}
