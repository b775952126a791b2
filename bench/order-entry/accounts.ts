import { setTimeout as sleep } from 'node:timers/promises'
import { createLog } from '@tripline/kit/telemetry/log'
import type { ClientOrderId } from '@tripline/proto/id'
import type { TestPaper } from '@tripline/testkit/paper-exchange'
import { Agent } from 'undici'
import type { OrderPlan } from '../../services/executor/src/domain/order/order.ts'
import type { VenueConnections } from '../../services/executor/src/venue/connections.ts'
import { createSharedSockets } from '../../services/executor/src/venue/socket/shared-sockets.ts'
import type { Venue, VenueOptions } from '../../services/executor/src/venue/venue.ts'

const settleMs = 20

/** One account's two ways to place an order: what the executor has, and the same over a socket. */
export interface OrderEntries {
  rest: Venue['place']
  socket: Venue['place']
}

/** A market of a venue, and the accounts that trade there. */
export interface Trading {
  market: string
  accounts: readonly OrderEntries[]
  /** Quantities are as the market writes them. */
  quantity: string
  /** True once orders of all accounts would go over sockets. */
  isOnSockets: () => boolean
  /** Begins a pool in which so many connections are warm. */
  warm: (connections: number) => Promise<void>
  /** The time that each order of one burst keeps the next burst waiting, so that no limit of the venue is met. */
  restMs: number
}

/** Connections whose pool can be begun anew, on the same warm clients. */
export interface RenewableConnections extends VenueConnections {
  renew: (pingUrl: string, warm: number) => Promise<void>
}

/** A pool as the executor has it. */
export function renewableConnections(): RenewableConnections {
  const open = (): Agent =>
    new Agent({ keepAliveTimeout: 60_000, keepAliveMaxTimeout: 600_000, connections: 64, pipelining: 1 })
  const connections = {
    dispatcher: open(),
    orderSockets: createSharedSockets(),
    addresses: new Map(),
    renew: async (pingUrl: string, warm: number) => {
      await connections.dispatcher.destroy()
      connections.dispatcher = open()
      const { origin, pathname } = new URL(pingUrl)
      const pings = Array.from({ length: warm }, async () => {
        const { body } = await connections.dispatcher.request({ origin, path: pathname, method: 'GET' })
        await body.dump()
      })
      await Promise.all(pings)
      // The pool takes a connection for busy until a turn after its answer.
      await sleep(settleMs)
    },
    close: async () => {
      connections.orderSockets.stop()
      await connections.dispatcher.destroy()
    },
  }
  return connections
}

/** Returns the options of a client of a new account. */
export async function newAccount(
  paper: TestPaper,
  baseUrl: string,
  connections: VenueConnections,
): Promise<VenueOptions> {
  return {
    baseUrl,
    streamUrl: baseUrl.replace('http', 'ws'),
    credentials: await paper.openAccount({ USDT: '100000', BTC: '1' }),
    connections,
    parent: undefined,
    tenure: () => ({ since: 0, provenAt: Number.POSITIVE_INFINITY }),
    log: createLog('bench', 'warn'),
  }
}

let planned = 0

/** A market order; sides take turns, so that no margin runs out. */
export function nextOrder(quantity: string, side: 'buy' | 'sell'): OrderPlan {
  planned++
  return {
    clientOrderId: `t${process.pid}-${planned}` as ClientOrderId,
    symbol: 'BTCUSDT',
    type: 'market',
    side,
    quantity,
    reduceOnly: false,
    positionSide: 'both',
    sizing: '',
  }
}
