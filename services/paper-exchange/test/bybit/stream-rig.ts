import { afterAll, beforeAll, expect } from '@jest/globals'
import { type Credentials, type Paper, startPaper } from '../paper.ts'
import { BTC, ORDER } from './kinds.ts'
import { auth, open, post } from './raw-client.ts'

export type Socket = Awaited<ReturnType<typeof open>>

/** A paper exchange whose prices stand still, with one account at a time, for all tests of a file. */
export interface StreamRig {
  readonly paper: Paper
  readonly credentials: Credentials
  /** Opens an account with this much of each coin, which is the one from now on. */
  enter: (funds?: Readonly<Record<string, string>>) => Promise<void>
  connect: (path: string) => Promise<Socket>
  /** A new account's socket that is subscribed to these topics. */
  privately: (topics: readonly string[], USDT?: string) => Promise<Socket>
  /** Places an order; returns its id. */
  place: (values?: Readonly<Record<string, unknown>>) => Promise<string>
  pin: (bid: string, ask: string) => Promise<unknown>
  unpin: () => Promise<unknown>
}

export function streamRig(): StreamRig {
  let paper: Paper
  let credentials: Credentials
  const sockets: Socket[] = []
  beforeAll(async () => {
    paper = await startPaper({ PAPER_TICK_MS: '0', PAPER_LIMITS: 'off' })
  })
  afterAll(async () => {
    for (const socket of sockets) await socket.close()
    await paper.stop()
  })
  const enter: StreamRig['enter'] = async (funds) => {
    credentials = await paper.open(funds)
  }
  const connect: StreamRig['connect'] = async (path) => {
    const socket = await open(paper, path)
    sockets.push(socket)
    return socket
  }
  return {
    get paper() {
      return paper
    },
    get credentials() {
      return credentials
    },
    enter,
    connect,
    privately: async (topics, USDT = '100000') => {
      await enter({ USDT, BTC: '1' })
      const socket = await connect('/v5/private')
      await socket.ask(auth(credentials))
      const subscribed = await socket.ask({ op: 'subscribe', args: topics })
      expect(subscribed).toMatchObject({ success: true, op: 'subscribe' })
      return socket
    },
    place: async (values = {}) => {
      const { body } = await post(paper, credentials, '/v5/order/create', { ...ORDER, ...values })
      expect(body.retMsg).toBe('OK')
      return `${body.result['orderId']}`
    },
    pin: async (bid, ask) => await paper.control('PUT', `prices/${BTC}`, { bid, ask }),
    unpin: async () => await paper.control('DELETE', `prices/${BTC}`),
  }
}
