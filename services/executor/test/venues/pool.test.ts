import { randomUUID } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { generateSealingPair, readOpeningKeys, readSealingKeys, seal } from '@tripline/kit/crypto/seal'
import type { BotId, UserId } from '@tripline/proto/id'
import { type BotConfig, credentialContext } from '@tripline/proto/user-config'
import { testLog } from '@tripline/testkit/log'
import { paperExchange, type TestPaper } from '@tripline/testkit/paper-exchange'
import { waitFor } from '@tripline/testkit/wait-for'
import { type AddressSettings, addressOf } from '../../src/venue/addresses.ts'
import { openConnections, type VenueConnections } from '../../src/venue/connections.ts'
import { keyJudge } from '../../src/venue/key/key-tester.ts'
import {
  type ClientChange,
  createVenuePool,
  type PoolOptions,
  type ServedBot,
  type VenuePool,
} from '../../src/venue/pool.ts'
import type { VenueEvent } from '../../src/venue/venue.ts'
import { heldForEver } from '../held.ts'
import { planOf } from './binance-rig.ts'
import { recordedConnections } from './recorded-connections.ts'

const pair = generateSealingPair('test')
const userId = randomUUID() as UserId

let paper: TestPaper
let pool: VenuePool
beforeAll(async () => {
  paper = await paperExchange()
})
beforeEach(() => {
  pool = poolOver(openConnections())
})
afterEach(async () => await pool.close())
afterAll(async () => await paper.stop())

const addresses = (): AddressSettings => ({ paperUrl: paper.url, venues: 'paper', book: {} })

function poolOver(connections: VenueConnections, differing: Partial<PoolOptions> = {}): VenuePool {
  return createVenuePool({
    addresses: addresses(),
    openingKeys: readOpeningKeys(pair.privateText),
    orderSockets: true,
    connections,
    log: testLog('pool'),
    tenureOf: heldForEver,
    ...differing,
  })
}

/** A bot of a new account, or of the one whose credentials are given. */
async function bot(
  differing: Partial<BotConfig>,
  credentials?: { apiKey: string; secret: string },
): Promise<ServedBot> {
  const config: BotConfig = {
    id: randomUUID() as BotId,
    label: 'MyBot',
    exchange: 'binance',
    marketType: 'spot',
    isTestnet: false,
    tradingState: 'active',
    maxEntryAgeS: 60,
    exitRetryS: 600,
    ...differing,
  }
  const [key] = readSealingKeys(pair.publicText)
  if (key === undefined) throw new Error('no sealing key')
  const { id: botId, exchange, isTestnet } = config
  const text = JSON.stringify(credentials ?? (await paper.openAccount()))
  return {
    userId,
    bot: config,
    sealed: seal(key, text, credentialContext({ userId, botId, exchange, isTestnet })),
  }
}

describe('the pool', () => {
  test('opens a client for the market and network of each bot', async () => {
    const bots = [
      await bot({ exchange: 'binance', marketType: 'spot' }),
      await bot({ exchange: 'binance', marketType: 'futures_usdt', isTestnet: true }),
      await bot({ exchange: 'paper', marketType: 'futures' }),
      await bot({ exchange: 'paper', marketType: 'spot' }),
    ]
    pool.serve(bots)
    await pool.settled(10_000)
    expect(bots.map(({ bot: { id } }) => pool.client(id)?.market)).toEqual([
      'binance_spot',
      'binance_futures_usdt',
      'paper_futures',
      'paper_spot',
    ])
    for (const served of bots)
      expect(await pool.client(served.bot.id)?.venue.read('BTCUSDT')).toMatchObject({ outcome: 'read' })
  })

  test('keeps the client of a bot that did not change, and opens a new one for other credentials', async () => {
    const served = await bot({})
    pool.serve([served])
    const before = await pool.whenOpen(served.bot.id, 10_000)
    pool.serve([{ ...served, bot: { ...served.bot, tradingState: 'halted' } }])
    expect(pool.client(served.bot.id)).toBe(before)
    const other = await bot({ id: served.bot.id })
    pool.serve([other])
    const after = await pool.whenOpen(served.bot.id, 10_000)
    expect(after?.accountKey).not.toBe(before?.accountKey)
    pool.serve([])
    expect(pool.client(served.bot.id)).toBeUndefined()
  })

  test('says that a client could not be opened at first, and opens it later', async () => {
    const served = await bot({})
    const fault = await paper.armFault({ match: {}, action: 'status', status: 503 })
    pool.serve([served])
    await pool.whenTried(served.bot.id, 600_000)
    expect(pool.client(served.bot.id)).toBeUndefined()
    await paper.removeFault(fault)
    expect(await pool.whenOpen(served.bot.id, 30_000)).toBeDefined()
  })

  test('asks a venue that is away no sooner because alerts wait for it', async () => {
    const served = await bot({})
    const fault = await paper.armFault({ match: {}, action: 'status', status: 503 })
    const triedAt: number[] = []
    await pool.close()
    const log = Object.assign(Object.create(testLog('pool')), {
      warn: (_about: unknown, text: string) => {
        if (text === 'client not open yet') triedAt.push(performance.now())
      },
    })
    pool = poolOver(openConnections(), { log })
    pool.serve([served])
    const hurrying = setInterval(() => pool.hurry(served.bot.id), 10)
    await waitFor(() => triedAt.length === 3)
    clearInterval(hurrying)
    const [first = 0, second = 0, third = 0] = triedAt
    expect(second - first).toBeGreaterThan(700)
    expect(third - second).toBeGreaterThan(1400)
    await paper.removeFault(fault)
    expect(await pool.whenOpen(served.bot.id, 30_000)).toBeDefined()
  })

  test('tries credentials that can sign nothing once, names the remedy, and takes new ones at once', async () => {
    await pool.close()
    const reported: ClientChange[] = []
    pool = poolOver(openConnections(), {
      onClient: (_served, change) => {
        reported.push(change)
        return true
      },
    })
    const secret = '-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY-----'
    const useless = await bot({ exchange: 'bybit', marketType: 'futures' }, { apiKey: 'key', secret })
    const foreign = { ...(await bot({})), sealed: 'v1.none.a.b.c.d' }
    pool.serve([useless, foreign])
    await pool.whenTried(useless.bot.id, 10_000)
    await pool.whenTried(foreign.bot.id, 10_000)
    pool.hurry(useless.bot.id)
    expect(await pool.whenOpen(useless.bot.id, 2500)).toBeUndefined()
    expect(reported).toEqual([
      { state: 'unreachable', problem: expect.stringMatching(/RSA key.*link the key again$/) },
      { state: 'unreachable', problem: expect.stringMatching(/link the key again$/) },
    ])
    const good = await bot({ ...useless.bot })
    pool.serveUser(userId, [good])
    expect(await pool.whenOpen(good.bot.id, 30_000)).toBeDefined()
    expect(reported.at(-1)).toMatchObject({ state: 'warm' })
  })

  test('asks each exchange once whether it takes a key, and reports its objections in place of being ready', async () => {
    await pool.close()
    const reported = new Map<BotId, ClientChange[]>()
    const { connections, sent } = recordedConnections()
    const judge = keyJudge({
      openingKeys: readOpeningKeys(pair.privateText),
      addressOf: (market, network) => addressOf(addresses(), market, network).rest,
      ownAddresses: undefined,
    })
    const judged: BotId[] = []
    pool = poolOver(connections, {
      judgeKey: async ({ userId, bot: { id: botId, ...config }, sealed }) => {
        judged.push(botId)
        return await judge({ ...config, userId, botId, sealed })
      },
      keyTiming: { readyMs: 600_000, turnMs: 1 },
      onClient: ({ bot: { id } }, change) => {
        reported.set(id, [...(reported.get(id) ?? []), change])
        return true
      },
    })
    const { apiKey, secret } = await paper.openAccount()
    const wrong = { apiKey, secret: 'another' }
    const trading = [
      { exchange: 'binance', marketType: 'spot' },
      { exchange: 'binance', marketType: 'futures_usdt' },
      { exchange: 'bybit', marketType: 'spot' },
      { exchange: 'bybit', marketType: 'futures' },
    ] as const
    const good = await Promise.all(trading.map(async (differing) => await bot(differing, { apiKey, secret })))
    const bad = await Promise.all(trading.map(async (differing) => await bot(differing, wrong)))
    pool.serve([...good, ...bad])
    await waitFor(() => reported.size === 8)
    for (const {
      bot: { id },
    } of good)
      expect(reported.get(id)).toMatchObject([{ state: 'warm' }])
    const problem = expect.stringContaining('The API secret does not belong to this key')
    for (const {
      bot: { id },
    } of bad)
      expect(reported.get(id)).toEqual([{ state: 'unreachable', problem }])
    expect(judged.toSorted()).toEqual(bad.map(({ bot: { id } }) => id).toSorted())
    for (const path of ['/binance/api/v3/account', '/binance-futures/fapi/v1/accountConfig'])
      expect(sent.filter((request) => request === `GET ${path}`)).toHaveLength(2)
    expect(sent.filter((request) => request === 'GET /bybit/v5/user/query-api')).toHaveLength(4)
    expect(
      pool
        .problemsOf(userId)
        .map(({ botId }) => botId)
        .toSorted(),
    ).toEqual(judged.toSorted())
  })

  test('looks at the bots of one user where those of one user change, of 10,000', async () => {
    let visits = 0
    const others = Array.from({ length: 2500 }, () => randomUUID() as UserId)
    // Of a market that nobody serves: what is counted is who is looked at.
    const usual = { ...(await bot({})).bot, exchange: 'binance', marketType: 'futures' } as const
    const botsOf = (owner: UserId): ServedBot[] =>
      Array.from({ length: 4 }, () => ({
        userId: owner,
        bot: { ...usual, id: randomUUID() as BotId },
        get sealed() {
          visits++
          return 'sealed'
        },
      }))
    const all = others.map(botsOf)
    pool.serve(all.flat())
    expect(pool.counts().opening).toBe(10_000)
    expect(visits).toBeGreaterThanOrEqual(10_000)
    visits = 0
    const [first = [], mine = botsOf(userId)] = all.slice(0, 1)
    pool.serveUser(first[0]?.userId ?? userId, first.slice(1))
    pool.serveUser(userId, mine)
    expect(visits).toBeLessThan(20)
    expect(pool.counts().opening).toBe(10_003)
  })

  test('gives two labels of one API key one account', async () => {
    const credentials = await paper.openAccount()
    const bots = [await bot({}, credentials), await bot({}, credentials)]
    pool.serve(bots)
    const [one, other] = await Promise.all(
      bots.map(async (served) => await pool.whenOpen(served.bot.id, 10_000)),
    )
    expect(one?.accountKey).toBe(other?.accountKey)
  })

  test('knows the bots that have an account, as their clients open, change and end', async () => {
    const credentials = await paper.openAccount()
    const [mine, twin, other] = [await bot({}, credentials), await bot({}, credentials), await bot({})]
    const served = [mine, twin, other]
    const idsOf = (...bots: ServedBot[]): Set<BotId> => new Set(bots.map(({ bot: { id } }) => id))
    pool.serve(served)
    await turn()
    // One that is dropped while it is being opened is of no account.
    const dropped = pool.whenOpen(twin.bot.id, 10_000)
    pool.serveUser(userId, [mine, other])
    const key = (await pool.whenOpen(mine.bot.id, 10_000))?.accountKey ?? ''
    expect((await dropped)?.accountKey).toBe(key)
    await pool.whenOpen(other.bot.id, 10_000)
    expect(new Set(pool.botsAt(key))).toEqual(idsOf(mine))
    pool.serveUser(userId, served)
    await pool.whenOpen(twin.bot.id, 10_000)
    expect(new Set(pool.botsAt(key))).toEqual(idsOf(mine, twin))
    const changed = await bot({ id: mine.bot.id })
    pool.serveUser(userId, [changed, twin, other])
    expect(new Set(pool.botsAt(key))).toEqual(idsOf(twin))
    const changedKey = (await pool.whenOpen(mine.bot.id, 10_000))?.accountKey ?? ''
    expect(new Set(pool.botsAt(changedKey))).toEqual(idsOf(mine))
    pool.serve([changed, other])
    expect([...pool.botsAt(key)]).toEqual([])
  })

  test('ends the streams of the account of a bot that is served no more', async () => {
    const credentials = await paper.openAccount()
    const [mine, other] = [await bot({}, credentials), await bot({}, credentials)]
    pool.serve([mine, other])
    await pool.settled(10_000)
    const received = [mine, other].map((served) => {
      const events: VenueEvent[] = []
      pool.client(served.bot.id)?.venue.follow?.((event) => void events.push(event))
      return events
    })
    await waitFor(() => received.every(({ length }) => length > 0))
    pool.serve([other])
    const placed = await pool.client(other.bot.id)?.venue.place(planOf({ quantity: '0.01' }), () => undefined)
    expect(placed).toMatchObject({ outcome: 'done' })
    await waitFor(() => received[1]?.some(({ kind }) => kind === 'order'))
    expect(received[0]?.map(({ kind }) => kind)).toEqual(['gap'])
  })

  test('loads Paper before any bot needs it, and answers a venue that sends nothing', async () => {
    const rehearsal = await pool.preload(10_000)
    const placed = await rehearsal?.place(planOf({}), () => undefined)
    expect(placed).toMatchObject({ outcome: 'done', order: { status: 'filled' } })
    const { journal } = paper
    const plan = planOf({})
    await rehearsal?.place(plan, () => undefined)
    expect((await journal()).some(({ clientOrderId }) => clientOrderId === plan.clientOrderId)).toBe(false)
  })

  test('row 14: keeps no connection warm to a venue that has banned us', async () => {
    await pool.close()
    const { connections, sent } = recordedConnections()
    pool = poolOver(connections)
    await pool.preload(10_000)
    const pings = () => sent.filter((request) => request.endsWith('/ping'))
    expect(pings()).not.toEqual([])
    const credentials = await paper.openAccount()
    const served = await bot({ exchange: 'paper', marketType: 'futures' }, credentials)
    pool.serve([served])
    const client = await pool.whenOpen(served.bot.id, 10_000)
    const match = { apiKey: credentials.apiKey, method: 'POST' }
    await paper.addFault({ match, action: 'status', status: 418, retryAfterS: 600, count: 1 })
    expect(await client?.venue.place(planOf({}), () => undefined)).toMatchObject({ code: 'E603' })
    sent.length = 0
    await pool.preload(10_000)
    expect(pings()).toEqual([])
  })
})
