import { createHmac, createSecretKey } from 'node:crypto'
import type { Closers } from '@tripline/scripts/closers'
import type { TestPaper } from '@tripline/testkit/paper-exchange'
import { z } from 'zod'
import { receiveWindowMs } from '../../services/executor/src/domain/doubt.ts'
import { futuresCodes, spotCodes } from '../../services/executor/src/venue/binance/codes.ts'
import { createDesk, type Desk, WithheldError } from '../../services/executor/src/venue/binance/desk.ts'
import { readFuturesOrder } from '../../services/executor/src/venue/binance/futures-answers.ts'
import { futuresFields } from '../../services/executor/src/venue/binance/futures-fields.ts'
import { createLimits, type Limits } from '../../services/executor/src/venue/binance/limits.ts'
import { createPlace, type OrderEntry } from '../../services/executor/src/venue/binance/place.ts'
import { RefusalError } from '../../services/executor/src/venue/binance/refusal.ts'
import { type Site, siteAt } from '../../services/executor/src/venue/binance/site.ts'
import { readSpotOrder } from '../../services/executor/src/venue/binance/spot-answers.ts'
import { spotFields } from '../../services/executor/src/venue/binance/spot-fields.ts'
import type { VenueOptions } from '../../services/executor/src/venue/venue.ts'
import { withDeadline } from '../../services/executor/src/venue/with-deadline.ts'
import { newAccount, type Places, renewableConnections, type Trading } from './accounts.ts'
import { type FrameSocket, openFrameSocket } from './frame-socket.ts'

const answeredWithinMs = 4000
const nothingMore = { onPlaced: () => undefined, onRefused: () => undefined }

/** What differs between Binance's markets. */
const markets = {
  'Binance USDⓈ-M': {
    base: '/binance-futures',
    version: '/fapi/v1',
    socketPath: '/ws-fapi/v1',
    quantity: '0.010',
    entry: {
      ...nothingMore,
      requestOf: (order) => ({ path: '/fapi/v1/order', fields: futuresFields(order) }),
      readOrder: readFuturesOrder,
      urgencyOf: () => 'entry',
      codes: futuresCodes,
    },
  },
  'Binance spot': {
    base: '/binance',
    version: '/api/v3',
    socketPath: '/ws-api/v3',
    quantity: '0.01000',
    entry: {
      ...nothingMore,
      requestOf: (order) => ({ path: '/api/v3/order', fields: spotFields(order) }),
      readOrder: readSpotOrder,
      urgencyOf: () => 'entry',
      codes: spotCodes,
    },
  },
} as const satisfies Record<string, BinanceMarket>

interface BinanceMarket {
  base: string
  version: string
  socketPath: string
  quantity: string
  entry: OrderEntry
}

/** So many accounts at a market of Binance, all of them on one socket: each request says whose it is. */
export async function tradeOnBinance(
  market: keyof typeof markets,
  at: { paper: TestPaper; url: string; accounts: number },
  closers: Closers,
): Promise<Trading> {
  const { base, version, socketPath, quantity, entry } = markets[market]
  const baseUrl = at.url + base
  const connections = renewableConnections()
  await closers.add(connections.close)
  const socket = await openFrameSocket(baseUrl.replace('http', 'ws') + socketPath, idOf)
  await closers.add(async () => socket.close())
  const site = await siteAt(connections, `${baseUrl}${version}/time`)
  const accounts: Places[] = []
  for (let index = 0; index < at.accounts; index++) {
    accounts.push(placesOf(entry, await newAccount(at.paper, baseUrl, connections), site, socket))
  }
  const warm = async (count: number) => await connections.renew(`${baseUrl}${version}/ping`, count)
  return { market, accounts, quantity, warm, restMs: 4 }
}

function placesOf(entry: OrderEntry, options: VenueOptions, site: Site, socket: FrameSocket): Places {
  const limits = createLimits(site.usage, site.now)
  const desk = createDesk(options, site, limits)
  const overSocket = { ...desk, send: socketSender(options, site, limits, socket) }
  const { mayPlace } = options
  return {
    rest: createPlace(entry, { desk, limits, mayPlace }),
    socket: createPlace(entry, { desk: overSocket, limits, mayPlace }),
  }
}

const Frame = z.object({
  status: z.number(),
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), msg: z.string() }).optional(),
  rateLimits: z
    .array(
      z.object({
        rateLimitType: z.string(),
        interval: z.string(),
        intervalNum: z.number(),
        count: z.number(),
      }),
    )
    .default([]),
})

const WithId = z.object({ id: z.string() })

function idOf(frame: unknown): string | undefined {
  return WithId.safeParse(frame).data?.id
}

function socketSender(
  { credentials: { apiKey, secret } }: VenueOptions,
  site: Site,
  limits: Limits,
  socket: FrameSocket,
): Desk['send'] {
  const key = createSecretKey(secret, 'utf8')
  return async ({ fields, permit, onSent = () => undefined }) => {
    if (permit?.() === false) throw new WithheldError()
    const params = { ...fields, apiKey, timestamp: `${site.now()}`, recvWindow: `${receiveWindowMs}` }
    const payload = Object.entries(params)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, value]) => `${name}=${value}`)
      .join('&')
    const signature = createHmac('sha256', key).update(payload).digest('hex')
    const makeText = (id: string): string =>
      JSON.stringify({ id, method: 'order.place', params: { ...params, signature } })
    const answer = await withDeadline(socket.ask(makeText, onSent), answeredWithinMs)
    const { status, result, error, rateLimits } = Frame.parse(answer)
    limits.heed({ status, headers: headersOf(rateLimits), text: '' })
    if (error !== undefined) throw new RefusalError({ status, code: error.code, text: error.msg })
    return result
  }
}

/** What a socket's answer says of limits, as an answer over HTTP says it. */
function headersOf(rateLimits: z.infer<typeof Frame>['rateLimits']): Record<string, string> {
  const named = rateLimits.map(({ rateLimitType, interval, intervalNum, count }) => {
    const prefix = rateLimitType === 'ORDERS' ? 'x-mbx-order-count-' : 'x-mbx-used-weight-'
    return [`${prefix}${intervalNum}${interval.charAt(0).toLowerCase()}`, `${count}`]
  })
  return Object.fromEntries(named)
}
