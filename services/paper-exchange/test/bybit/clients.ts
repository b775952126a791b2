import { RestClientV5, WebsocketAPIClient, WebsocketClient } from 'bybit-api'
import ccxt, { type bybit as Ccxt } from 'ccxt'
import { QUIET } from '../contract/quiet.ts'
import type { Library, World } from '../contract/suite.ts'

/** Unmodified ccxt with its sockets; only its addresses are the paper exchange's. */
export type CcxtPro = InstanceType<typeof ccxt.pro.bybit>
export type { Ccxt }

function urlsOf({ paper }: World): Record<string, string> {
  const http = `${paper.root}/bybit`
  const socket = `${http.replace('http', 'ws')}/v5`
  const streams = { spot: `${socket}/public/spot`, linear: `${socket}/public/linear` }
  const own = {
    spot: { unified: `${socket}/private` },
    contract: `${socket}/private`,
    trade: `${socket}/trade`,
  }
  const urls = { ...allOf(http), ws: { public: streams, private: own } }
  return urls as unknown as Record<string, string>
}

function allOf(http: string) {
  return { spot: http, futures: http, v2: http, public: http, private: http }
}

const OPTIONS = {
  fetchMarkets: { types: ['spot', 'linear'] },
  enableUnifiedAccount: true,
  enableUnifiedMargin: false,
  unifiedMarginStatus: 6,
}
const SETTINGS = { enableRateLimit: false, has: { fetchCurrencies: false }, options: OPTIONS }

/** ccxt over HTTP. */
export const CCXT: Library<Ccxt> = {
  name: 'ccxt',
  connect: async (world) => {
    const { apiKey, secret } = world.credentials
    return new ccxt.bybit({ apiKey, secret, ...SETTINGS, urls: { api: urlsOf(world) } })
  },
}

/** ccxt as it comes: it asks what the account is, and for every kind of market. */
export const CCXT_UNTUNED: Library<Ccxt> = {
  name: 'ccxt untuned',
  connect: async (world) => {
    const { apiKey, secret } = world.credentials
    return new ccxt.bybit({ apiKey, secret, enableRateLimit: false, urls: { api: urlsOf(world) } })
  },
}

/** ccxt over sockets. */
export const CCXT_PRO: Library<CcxtPro> = {
  name: 'ccxt pro',
  connect: async (world) => {
    const { apiKey, secret } = world.credentials
    const client = new ccxt.pro.bybit({ apiKey, secret, ...SETTINGS, urls: { api: urlsOf(world) } })
    // Plain ws:// needs this once; wss:// does not.
    await client.loadHttpProxyAgent()
    await client.loadMarkets()
    return client
  },
  close: async (client) => void (await client.close()),
}

/** The `bybit-api` SDK over HTTP. */
export const SDK: Library<RestClientV5> = {
  name: 'bybit-api',
  connect: async ({ paper, credentials: { apiKey, secret } }) =>
    new RestClientV5({ key: apiKey, secret, baseUrl: `${paper.root}/bybit` }),
}

/** The `bybit-api` SDK's order entry over a socket. */
export const SDK_TRADE: Library<WebsocketAPIClient> = {
  name: 'bybit-api over sockets',
  connect: async ({ paper, credentials: { apiKey, secret } }) =>
    new WebsocketAPIClient(
      {
        key: apiKey,
        secret,
        wsUrl: `${paper.root.replace('http', 'ws')}/bybit/v5/trade`,
        attachEventListeners: false,
      },
      QUIET,
    ),
  close: async (client) => client.getWSClient().closeAll(true),
}

/**
 * Collects the events of these topics that the `bybit-api` SDK gets on one path, from the exchange's confirmation on.
 */
export async function listen(
  { paper, credentials: { apiKey, secret } }: World,
  path: string,
  category: 'linear' | 'spot',
  topics: string[],
) {
  const wsUrl = `${paper.root.replace('http', 'ws')}/bybit${path}`
  const client = new WebsocketClient({ key: apiKey, secret, wsUrl }, QUIET)
  const received: { topic: string; data: unknown }[] = []
  client.on('update', (event) => void received.push(event as { topic: string; data: unknown }))
  // Its own answer settles once it is connected: before it is let in, and before it asks for the topics.
  const subscribed = new Promise<void>((resolve, reject) => {
    client.on('response', (event) => 'op' in event && event.op === 'subscribe' && resolve())
    client.on('exception', reject)
  })
  await Promise.all([subscribed, ...client.subscribeV5(topics, category, path === '/v5/private')])
  return { received, close: () => client.closeAll(true) }
}
