import { USDMClient, WebsocketAPIClient } from 'binance'
import ccxt, { type binanceusdm as CcxtUsdm } from 'ccxt'
import { QUIET } from '../contract/quiet.ts'
import type { Library, World } from '../contract/suite.ts'

/** Unmodified ccxt with its sockets; only its addresses are the paper exchange's. */
export type CcxtPro = InstanceType<typeof ccxt.pro.binanceusdm>

function urlsOf({ paper }: World): Record<string, string> {
  const http = `${paper.root}/binance-futures`
  const socket = http.replace('http', 'ws')
  const api: Record<string, unknown> = { sapi: `${http}/sapi/v1` }
  for (const [version, suffix] of Object.entries({ v1: '', v2: 'V2', v3: 'V3' })) {
    api[`fapiPublic${suffix}`] = `${http}/fapi/${version}`
    api[`fapiPrivate${suffix}`] = `${http}/fapi/${version}`
  }
  api['ws'] = { future: `${socket}/ws`, 'ws-api': { future: `${socket}/ws-fapi/v1` } }
  return api as Record<string, string>
}

const OPTIONS = { fetchOpenOrders: { warnWithoutSymbol: false } }

/** ccxt over HTTP. */
export const CCXT: Library<CcxtUsdm> = {
  name: 'ccxt',
  connect: async (world) => {
    const { apiKey, secret } = world.credentials
    const settings = { apiKey, secret, enableRateLimit: false, options: OPTIONS }
    return new ccxt.binanceusdm({ ...settings, urls: { api: urlsOf(world) } })
  },
}

/** ccxt over sockets. */
export const CCXT_PRO: Library<CcxtPro> = {
  name: 'ccxt pro',
  connect: async (world) => {
    const { apiKey, secret } = world.credentials
    // It keeps its listen key alive by a timer that no close ends; a short one ends by itself.
    const options = { ...OPTIONS, listenKeyRefreshRate: 500 }
    const settings = { apiKey, secret, enableRateLimit: false, options }
    const client = new ccxt.pro.binanceusdm({ ...settings, urls: { api: urlsOf(world) } })
    // Plain ws:// needs this once; wss:// does not.
    await client.loadHttpProxyAgent()
    return client
  },
  close: async (client) => void (await client.close()),
}

/** The `binance` SDK over HTTP. */
export const SDK: Library<USDMClient> = {
  name: 'binance SDK',
  connect: async ({ paper, credentials }) =>
    new USDMClient({
      api_key: credentials.apiKey,
      api_secret: credentials.secret,
      baseUrl: `${paper.root}/binance-futures`,
      disableTimeSync: true,
    }),
}

/** The `binance` SDK's requests over a socket. */
export const SDK_WS: Library<WebsocketAPIClient> = {
  name: 'binance SDK over sockets',
  connect: async ({ paper, credentials }) =>
    new WebsocketAPIClient(
      {
        api_key: credentials.apiKey,
        api_secret: credentials.secret,
        wsUrl: `${paper.root.replace('http', 'ws')}/binance-futures`,
        attachEventListeners: false,
      },
      QUIET,
    ),
  close: async (client) => client.disconnectAll(),
}
