import { MainClient, WebsocketAPIClient, WebsocketClient } from 'binance'
import ccxt, { type binance as CcxtBinance } from 'ccxt'
import { QUIET } from '../contract/quiet.ts'
import type { Library, World } from '../contract/suite.ts'

/** Unmodified ccxt with its sockets; only its addresses are the paper exchange's. */
export type CcxtPro = InstanceType<typeof ccxt.pro.binance>

function urlsOf({ paper }: World) {
  const http = `${paper.root}/binance`
  const socket = http.replace('http', 'ws')
  return {
    public: `${http}/api/v3`,
    private: `${http}/api/v3`,
    v1: `${http}/api/v1`,
    sapi: `${http}/sapi/v1`,
    ws: { spot: `${socket}/ws`, 'ws-api': { spot: `${socket}/ws-api/v3` } },
  }
}

const OPTIONS = { fetchMarkets: { types: ['spot'] }, fetchOpenOrders: { warnWithoutSymbol: false } }

/** ccxt over HTTP. */
export const CCXT: Library<CcxtBinance> = {
  name: 'ccxt',
  connect: async (world) => {
    const { apiKey, secret } = world.credentials
    const api = urlsOf(world) as unknown as Record<string, string>
    return new ccxt.binance({ apiKey, secret, enableRateLimit: false, options: OPTIONS, urls: { api } })
  },
  lastCode: ({ last_http_response: body }) => Number(/"code":(-?\d+)/.exec(`${body}`)?.[1]),
}

/** ccxt over sockets. */
export const CCXT_PRO: Library<CcxtPro> = {
  name: 'ccxt pro',
  connect: async (world) => {
    const { apiKey, secret } = world.credentials
    const api = urlsOf(world) as unknown as Record<string, string>
    const client = new ccxt.pro.binance({
      apiKey,
      secret,
      enableRateLimit: false,
      options: OPTIONS,
      urls: { api },
    })
    // Plain ws:// needs this once; wss:// does not.
    await client.loadHttpProxyAgent()
    return client
  },
  close: async (client) => void (await client.close()),
  dropsCodes: true,
}

/** The `binance` SDK over HTTP. */
export const SDK: Library<MainClient> = {
  name: 'binance SDK',
  connect: async ({ paper, credentials }) =>
    new MainClient({
      api_key: credentials.apiKey,
      api_secret: credentials.secret,
      baseUrl: `${paper.root}/binance`,
      disableTimeSync: true,
    }),
}

/** The `binance` SDK's requests over a socket. */
export const SDK_WS: Library<WebsocketAPIClient> = {
  name: 'binance SDK over sockets',
  connect: async ({ paper, credentials }) => {
    const settings = {
      api_key: credentials.apiKey,
      api_secret: credentials.secret,
      wsUrl: `${paper.root.replace('http', 'ws')}/binance`,
      attachEventListeners: false,
    }
    const client = new WebsocketAPIClient(settings, QUIET)
    return client
  },
  close: async (client) => client.disconnectAll(),
}

/** The `binance` SDK's streams. */
export const SDK_STREAMS: Library<WebsocketClient> = {
  name: 'binance SDK streams',
  connect: async ({ paper, credentials }) =>
    new WebsocketClient(
      {
        api_key: credentials.apiKey,
        api_secret: credentials.secret,
        beautify: true,
        wsUrl: `${paper.root.replace('http', 'ws')}/binance`,
      },
      QUIET,
    ),
  close: async (client) => void (await client.closeAll(true)),
}
