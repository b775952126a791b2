import type { Closers } from '@tripline/scripts/closers'
import type { TestPaper } from '@tripline/testkit/paper-exchange'
import type { bybit } from 'ccxt'
import { z } from 'zod'
import { receiveWindowMs } from '../../services/executor/src/domain/doubt.ts'
import { openClient } from '../../services/executor/src/venue/bybit/client.ts'
import { type Desk, openDesk } from '../../services/executor/src/venue/bybit/desk.ts'
import { createOrderFinder } from '../../services/executor/src/venue/bybit/find-order.ts'
import { linearFields } from '../../services/executor/src/venue/bybit/order-fields.ts'
import { createPlace } from '../../services/executor/src/venue/bybit/place.ts'
import { RefusalError } from '../../services/executor/src/venue/bybit/refusal.ts'
import { type Site, siteAt } from '../../services/executor/src/venue/bybit/site.ts'
import { createOrderFeed } from '../../services/executor/src/venue/bybit/stream.ts'
import type { VenueOptions } from '../../services/executor/src/venue/venue.ts'
import { withDeadline } from '../../services/executor/src/venue/with-deadline.ts'
import { newAccount, type Places, renewableConnections, type Trading } from './accounts.ts'
import { type FrameSocket, openFrameSocket } from './frame-socket.ts'

const answeredWithinMs = 4000
const loginMs = 10_000

/** So many accounts at Bybit linear, each with a socket that is logged in once, and its private stream. */
export async function tradeOnBybit(
  at: { paper: TestPaper; url: string; accounts: number },
  closers: Closers,
): Promise<Trading> {
  const baseUrl = `${at.url}/bybit`
  const connections = renewableConnections()
  await closers.add(connections.close)
  const site = await siteAt(connections, baseUrl)
  const nobody = await newAccount(at.paper, baseUrl, connections)
  const parent = await openClient(nobody, 'linear', site)
  const accounts: Places[] = []
  for (let index = 0; index < at.accounts; index++) {
    const account = await newAccount(at.paper, baseUrl, connections)
    accounts.push(await placesOf(account, site, parent, closers))
  }
  const warm = async (count: number) => await connections.renew(`${baseUrl}/v5/market/time`, count)
  return { market: 'Bybit linear', accounts, quantity: '0.010', warm, restMs: 14 }
}

async function placesOf(options: VenueOptions, site: Site, parent: bybit, closers: Closers): Promise<Places> {
  const { streamUrl, log, mayPlace } = options
  const desk = openDesk(options, 'linear', site)
  const client = await openClient({ ...options, parent: parent as VenueOptions['parent'] }, 'linear', site)
  const feeCoinOf = () => 'USDT'
  const finder = createOrderFinder(desk, client, feeCoinOf)
  const feed = createOrderFeed({ streamUrl, log, desk, finder, feeCoinOf, timing: undefined })
  const { promise: isLive, resolve } = Promise.withResolvers<void>()
  const stop = feed.follow(({ kind }) => kind === 'gap' && resolve())
  await closers.add(async () => stop())
  await isLive
  const socket = await openTradeSocket(streamUrl, desk)
  await closers.add(async () => socket.close())
  const sources = { feed, finder }
  const how = { fieldsOf: linearFields, mayPlace }
  return {
    rest: createPlace(desk, sources, how),
    socket: createPlace({ ...desk, post: socketPoster(desk, socket) }, sources, how),
  }
}

const Frame = z.object({ retCode: z.number(), retMsg: z.string(), data: z.unknown().optional() })
const WithId = z.object({ reqId: z.string() })

function idOf(frame: unknown): string | undefined {
  return WithId.safeParse(frame).data?.reqId
}

async function openTradeSocket(streamUrl: string, { signer, site }: Desk): Promise<FrameSocket> {
  const socket = await openFrameSocket(`${streamUrl}/v5/trade`, idOf)
  const login = (reqId: string): string =>
    JSON.stringify({ op: 'auth', reqId, args: signer.login(site.now() + loginMs) })
  const { retCode, retMsg } = Frame.parse(await socket.ask(login, () => undefined))
  if (retCode !== 0) throw new Error(`The login was refused: ${retMsg}`)
  return socket
}

function socketPoster({ site }: Desk, socket: FrameSocket): Desk['post'] {
  return async (_path, fields, onSent = () => undefined) => {
    const header = { 'X-BAPI-TIMESTAMP': `${site.now()}`, 'X-BAPI-RECV-WINDOW': `${receiveWindowMs}` }
    const makeText = (reqId: string): string =>
      JSON.stringify({ op: 'order.create', reqId, header, args: [fields] })
    const answer = await withDeadline(socket.ask(makeText, onSent), answeredWithinMs)
    const { retCode, retMsg, data } = Frame.parse(answer)
    if (retCode !== 0) throw new RefusalError({ status: 200, code: retCode, text: retMsg })
    return data
  }
}
