import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { Bus } from '@tripline/kit/bus/bus'
import { sendRequest } from '@tripline/kit/bus/request'
import { generateSealingPair, readSealingKeys, seal } from '@tripline/kit/crypto/seal'
import { createLog } from '@tripline/kit/telemetry/log'
import { type Exchange, ExchangeMarket, type MarketType } from '@tripline/proto/exchange'
import { testKey } from '@tripline/proto/executor-request'
import { BotId, UserId } from '@tripline/proto/id'
import type { KeyCheckId, KeyTest } from '@tripline/proto/key-test'
import { type Credentials, credentialContext } from '@tripline/proto/user-config'
import { nats, type TestNats } from '@tripline/testkit/nats'
import { paperExchange, type TestPaper } from '@tripline/testkit/paper-exchange'
import { answerKeyTests } from '../src/consumers/key-test.ts'
import { openSideThread, type SideThread } from '../src/side-thread/side-thread.ts'
import type { ThreadData } from '../src/side-thread/tasks.ts'
import { addressOf, type Network } from '../src/venue/addresses.ts'
import { binanceRefusal, bybitRefusal, type ExchangeStandIn, exchangeStandIn } from './exchange-stand-in.ts'

const pair = generateSealingPair('test')
const [sealingKey] = readSealingKeys(pair.publicText)
const canary = { apiKey: 'CANARYkey0123456789abcdef', secret: 'CANARYsecret0123456789' }
const lines: string[] = []
let bus: TestNats
let keys: Bus
let paper: TestPaper
let exchange: ExchangeStandIn
let thread: SideThread
let stopAnswering: () => void
beforeAll(async () => {
  ;[bus, paper, exchange] = await Promise.all([nats(), paperExchange(), exchangeStandIn()])
  const executor = await bus.connect('executor')
  keys = await bus.connect('keys')
  const log = createLog('executor', 'trace', { write: (line) => lines.push(line) })
  const settings = { paperUrl: paper.url, venues: 'live', book: {} } as const
  const atPaper = /^(paper|okx)/
  const asPaper = { ...settings, venues: 'paper' } as const
  const restOf = (market: ExchangeMarket, network: Network): string =>
    atPaper.test(market) ? addressOf(asPaper, market, network).rest : `${exchange.url}/${network}`
  const restAddresses = Object.fromEntries(
    ExchangeMarket.options.map((market) => [
      market,
      { mainnet: restOf(market, 'mainnet'), testnet: restOf(market, 'testnet') },
    ]),
  ) as ThreadData['restAddresses']
  thread = openSideThread(
    { sealPrivateKeys: pair.privateText, restAddresses, ownAddresses: '192.0.2.7' },
    log,
  )
  stopAnswering = answerKeyTests({ ...executor, log }, thread)
  await executor.connection.flush()
})
afterAll(async () => {
  stopAnswering()
  await thread.stop()
  await Promise.all([bus.stop(), paper.stop(), exchange.stop()])
})
beforeEach(() => exchange.clear())

interface Wanted {
  exchange: Exchange
  marketType: MarketType
  isTestnet?: boolean
  credentials?: Credentials
}

async function tryKey({
  exchange,
  marketType,
  isTestnet = false,
  credentials = canary,
}: Wanted): Promise<KeyTest> {
  if (sealingKey === undefined) throw new Error('There is no sealing key')
  const ids = { userId: UserId.parse(randomUUID()), botId: BotId.parse(randomUUID()) }
  const context = credentialContext({ ...ids, exchange, isTestnet })
  const sealed = seal(sealingKey, JSON.stringify(credentials), context)
  const outcome = await sendRequest(
    keys,
    testKey,
    { ...ids, exchange, marketType, isTestnet, sealed },
    { timeoutMs: 12_000 },
  )
  expect(JSON.stringify([outcome, lines])).not.toContain('CANARY')
  return outcome
}

const failed = ({ checks }: KeyTest): KeyCheckId[] =>
  checks.filter(({ ok }) => ok === false).map(({ id }) => id)
const textOf = ({ checks }: KeyTest, id: KeyCheckId): string => {
  const check = checks.find((one) => one.id === id)
  return `${check?.message} | ${check?.fix}`
}

describe('a Paper key', () => {
  test.each(['futures', 'spot'] as const)('is tried at the paper exchange (%s)', async (marketType) => {
    const outcome = await tryKey({ exchange: 'paper', marketType, credentials: await paper.openAccount() })
    expect(outcome).toMatchObject({ success: true, message: 'API key is valid and working', error: null })
    expect(outcome.checks.map(({ id, ok }) => [id, ok])).toEqual([
      ['venue_reached', true],
      ['clock_offset', true],
      ['key_accepted', true],
      ['may_trade', true],
      ['withdrawal', true],
      ['ip_restriction', true],
    ])
  })

  test('of another secret, or of no account, is reported as such', async () => {
    const { apiKey } = await paper.openAccount()
    const wrong = { exchange: 'paper', marketType: 'futures' } as const
    const secret = await tryKey({ ...wrong, credentials: { apiKey, secret: 'another' } })
    expect(secret).toMatchObject({ success: false, error: 'The API secret does not belong to this key' })
    const key = await tryKey({ ...wrong, credentials: { apiKey: `${apiKey}0`, secret: 'another' } })
    expect(key.success).toBe(false)
    expect(failed(key)).toEqual(['key_accepted'])
  })

  test('at an exchange that hangs is unreachable within seconds', async () => {
    await paper.addFault({ match: { path: '/fapi/v1/time' }, action: 'delay', ms: 60_000, count: 1 })
    const outcome = await tryKey({ exchange: 'paper', marketType: 'futures', credentials: canary })
    expect(outcome).toMatchObject({ success: false, error: 'Paper cannot be reached' })
    expect(outcome.checks).toEqual([
      { id: 'venue_reached', ok: false, message: expect.any(String), fix: expect.any(String) },
    ])
  })
})

describe('an OKX key', () => {
  const futures = { exchange: 'okx', marketType: 'futures' } as const

  test.each(['futures', 'spot'] as const)('is tried with its passphrase (%s)', async (marketType) => {
    const credentials = { ...(await paper.openAccount()), passphrase: 'paper' }
    const outcome = await tryKey({ exchange: 'okx', marketType, credentials })
    expect(outcome).toMatchObject({ success: true, error: null })
    expect(textOf(outcome, 'may_trade')).toContain(`The key may trade ${marketType}`)
    expect(failed(outcome)).toEqual(['ip_restriction'])
  })

  test('of an account that holds both sides apart may trade spot alone', async () => {
    const account = await paper.openAccount()
    await paper.setTerms(account.apiKey, { positionMode: 'hedge' })
    const credentials = { ...account, passphrase: 'paper' }
    const outcome = await tryKey({ ...futures, credentials })
    expect(outcome).toMatchObject({ success: false, error: 'The account holds long and short apart' })
    expect(await tryKey({ ...futures, marketType: 'spot', credentials })).toMatchObject({ success: true })
  })

  test('of another passphrase, secret or account is reported as such', async () => {
    const account = await paper.openAccount()
    const errorOf = async (credentials: Credentials) => (await tryKey({ ...futures, credentials })).error
    expect(await errorOf({ ...account, passphrase: 'x' })).toBe('The passphrase does not belong to this key')
    const right = { ...account, passphrase: 'paper' }
    expect(await errorOf({ ...right, secret: 'x' })).toBe('The API secret does not belong to this key')
    expect(await errorOf({ ...right, apiKey: 'x' })).toContain('OKX does not know this key')
  })
})

const ok = (body: object) => ({ status: 200, body })
const rights = {
  ipRestrict: true,
  enableReading: true,
  enableWithdrawals: false,
  enableSpotAndMarginTrading: true,
  enableFutures: true,
}

describe('a Binance key', () => {
  const spot = { exchange: 'binance', marketType: 'spot' } as const
  const futures = { exchange: 'binance', marketType: 'futures_usdt' } as const
  const open = (offsetMs = 0): void => {
    // Read anew for each answer: a clock that stands still falls behind.
    const time = ok({
      get serverTime() {
        return Date.now() + offsetMs
      },
    })
    for (const network of ['mainnet', 'testnet']) {
      exchange.answer(`/${network}/api/v3/time`, time)
      exchange.answer(`/${network}/fapi/v1/time`, time)
      exchange.answer(`/${network}/api/v3/account`, binanceRefusal(-2015))
      exchange.answer(`/${network}/fapi/v1/accountConfig`, binanceRefusal(-2015))
    }
    exchange.answer('/mainnet/sapi/v1/account/apiRestrictions', binanceRefusal(-2015))
  }
  const accept = (reported: object = rights): void => {
    exchange.answer('/mainnet/api/v3/account', ok({ canTrade: true }))
    exchange.answer('/mainnet/fapi/v1/accountConfig', ok({ canTrade: true }))
    exchange.answer('/mainnet/sapi/v1/account/apiRestrictions', ok(reported))
  }

  test('that may trade, may not withdraw and is bound to addresses is as it should be', async () => {
    open()
    accept()
    for (const market of [spot, futures]) {
      const outcome = await tryKey(market)
      expect(outcome).toMatchObject({ success: true, message: 'API key is valid and working' })
      expect(outcome.checks.every(({ ok, fix }) => ok === true && fix === null)).toBe(true)
    }
  })

  test('that may withdraw, or works from anywhere, works and is warned of', async () => {
    open()
    accept({ ...rights, enableWithdrawals: true, ipRestrict: false })
    const outcome = await tryKey(spot)
    expect(outcome).toMatchObject({
      success: true,
      error: null,
      message: 'API key is valid and working. The key may withdraw. The key works from any address',
    })
    expect(failed(outcome)).toEqual(['withdrawal', 'ip_restriction'])
    expect(textOf(outcome, 'ip_restriction')).toContain('192.0.2.7')
  })

  test('that may read only does not do', async () => {
    open()
    accept({ ...rights, enableSpotAndMarginTrading: false, enableFutures: false })
    for (const market of [spot, futures]) {
      const outcome = await tryKey(market)
      expect(outcome.success).toBe(false)
      expect(failed(outcome)).toEqual(['may_trade'])
    }
  })

  test('whose clock differs is reported so, and works as long as it is taken', async () => {
    open(-4000)
    accept()
    const outcome = await tryKey(spot)
    expect(outcome.success).toBe(true)
    expect(failed(outcome)).toEqual(['clock_offset'])
    exchange.answer('/mainnet/api/v3/account', binanceRefusal(-1021))
    expect(await tryKey(spot)).toMatchObject({ error: 'The exchange rejected our timestamp' })
  })

  describe('refused with -2015', () => {
    test('while its restrictions can be read lacks a permission', async () => {
      open()
      exchange.answer('/mainnet/sapi/v1/account/apiRestrictions', ok({ ...rights, enableFutures: false }))
      const outcome = await tryKey(futures)
      expect(outcome.error).toBe('The key may not trade futures')
      expect(outcome.checks.find(({ id }) => id === 'key_accepted')?.ok).toBe(true)
      expect(failed(outcome)).toEqual(['may_trade'])
    })

    test.each([
      ['takes it', ok({ canTrade: true })],
      ['knows it', binanceRefusal(-1022)],
    ])('where the other network %s is of that network', async (_name, answer) => {
      open()
      exchange.answer('/testnet/api/v3/account', answer)
      expect((await tryKey(spot)).error).toBe(
        'This is a key of the testnet, and the bot is set to the mainnet',
      )
      exchange.answer('/mainnet/fapi/v1/accountConfig', answer)
      const outcome = await tryKey({ ...futures, isTestnet: true })
      expect(outcome.error).toBe('This is a key of the mainnet, and the bot is set to the testnet')
      expect(textOf(outcome, 'key_accepted')).toContain('testnet switch off')
    })

    test('and nothing else is deleted, or restricted to other addresses: Binance says no more', async () => {
      open()
      const outcome = await tryKey(spot)
      expect(failed(outcome)).toEqual(['key_accepted'])
      expect(textOf(outcome, 'key_accepted')).toMatch(/deleted or mistyped.*192\.0\.2\.7/)
    })

    test('where Binance names the key unknown elsewhere is unknown', async () => {
      open()
      exchange.answer('/mainnet/sapi/v1/account/apiRestrictions', binanceRefusal(-2008))
      expect((await tryKey(spot)).error).toBe('Binance does not know this key: it was deleted or mistyped')
    })
  })

  test.each([
    [-2014, /does not look like a key/],
    [-1022, /secret does not belong/],
    [-2008, /does not know this key/],
    [-1003, /refuses the key/],
  ])('refused with %p is reported as such', async (code, reported) => {
    open()
    exchange.answer('/mainnet/api/v3/account', binanceRefusal(code))
    expect((await tryKey(spot)).error).toMatch(reported)
  })

  test('about which no answer comes is reported as such', async () => {
    open()
    exchange.answer('/mainnet/api/v3/account', { status: 502, body: {} })
    expect((await tryKey(spot)).error).toBe('Binance gave no answer about the key')
  })

  test('of the testnet is reported as of its network, and nobody asks for its restrictions', async () => {
    open()
    exchange.answer('/testnet/fapi/v1/accountConfig', ok({ canTrade: true }))
    expect(await tryKey({ ...futures, isTestnet: true })).toMatchObject({ success: true })
    expect(exchange.asked).toEqual(['/testnet/fapi/v1/time', '/testnet/fapi/v1/accountConfig'])
  })
})

describe('a Bybit key', () => {
  const linear = { exchange: 'bybit', marketType: 'futures' } as const
  const spot = { exchange: 'bybit', marketType: 'spot' } as const
  const open = (offsetMs = 0): void => {
    for (const network of ['mainnet', 'testnet']) {
      const time = {
        retCode: 0,
        retMsg: 'OK',
        result: {},
        get time() {
          return Date.now() + offsetMs
        },
      }
      exchange.answer(`/${network}/v5/market/time`, ok(time))
      exchange.answer(`/${network}/v5/user/query-api`, bybitRefusal(10003))
    }
  }
  const accept = (reported: object = {}): void => {
    const permissions = {
      ContractTrade: ['Order', 'Position'],
      Spot: ['SpotTrade'],
      Wallet: ['AccountTransfer'],
    }
    const result = { readOnly: 0, permissions, ips: ['192.0.2.7'], ...reported }
    exchange.answer('/mainnet/v5/user/query-api', ok({ retCode: 0, retMsg: 'OK', result }))
  }

  test('that may trade, may not withdraw and is bound to addresses is as it should be', async () => {
    open()
    accept()
    for (const market of [linear, spot]) {
      const outcome = await tryKey(market)
      expect(outcome).toMatchObject({ success: true, message: 'API key is valid and working' })
      expect(failed(outcome)).toEqual([])
    }
  })

  test('that may do too much or too little is reported with the difference', async () => {
    open()
    accept({ ips: ['*'], permissions: { Spot: ['SpotTrade'], Wallet: ['Withdraw'] } })
    expect(failed(await tryKey(spot))).toEqual(['withdrawal', 'ip_restriction'])
    expect(failed(await tryKey(linear))).toEqual(['may_trade', 'withdrawal', 'ip_restriction'])
    accept({ readOnly: 1 })
    expect(failed(await tryKey(spot))).toEqual(['may_trade'])
  })

  test.each([
    [10003, /does not know this key/],
    [10004, /secret does not belong/],
    [10005, /may not trade futures/],
    [10010, /IP allowlist doesn't include our address/],
    [33004, /has expired/],
    [10002, /rejected our timestamp/],
  ])('refused with %p is reported as such', async (code, reported) => {
    open()
    exchange.answer('/mainnet/v5/user/query-api', bybitRefusal(code))
    expect((await tryKey(linear)).error).toMatch(reported)
  })

  test('of the other network is reported so', async () => {
    open()
    exchange.answer('/testnet/v5/user/query-api', bybitRefusal(10004))
    expect((await tryKey(linear)).error).toBe(
      'This is a key of the testnet, and the bot is set to the mainnet',
    )
  })
})
