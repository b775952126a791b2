import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { generateSealingPair, readOpeningKeys, readSealingKeys, seal } from '@tripline/kit/seal'
import type { BotId, UserId } from '@tripline/proto/id'
import { type BotConfig, credentialContext } from '@tripline/proto/user-config'
import { testLog } from '@tripline/testkit/log'
import { paperExchange, type TestPaper } from '@tripline/testkit/paper-exchange'
import { waitFor } from '@tripline/testkit/wait-for'
import { openConnections } from '../../src/venue/dispatcher.ts'
import { createVenuePool, type ServedBot, type VenuePool } from '../../src/venue/pool.ts'
import type { VenueEvent } from '../../src/venue/venue.ts'
import { planOf } from './binance-rig.ts'

const pair = generateSealingPair('test')
const userId = randomUUID() as UserId

let paper: TestPaper
let pool: VenuePool
beforeAll(async () => {
  paper = await paperExchange()
})
beforeEach(() => {
  pool = createVenuePool({
    addresses: { paperUrl: paper.url, venues: 'paper', book: {} },
    openingKeys: readOpeningKeys(pair.privateText),
    orderSockets: true,
    connections: openConnections(),
    log: testLog('pool'),
    mayPlace: () => true,
  })
})
afterEach(async () => await pool.close())
afterAll(async () => await paper.stop())

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

  test('gives two labels of one API key one account', async () => {
    const credentials = await paper.openAccount()
    const bots = [await bot({}, credentials), await bot({}, credentials)]
    pool.serve(bots)
    const [one, other] = await Promise.all(
      bots.map(async (served) => await pool.whenOpen(served.bot.id, 10_000)),
    )
    expect(one?.accountKey).toBe(other?.accountKey)
  })

  test('ends what follows the account of a bot that is served no more', async () => {
    const credentials = await paper.openAccount()
    const [mine, other] = [await bot({}, credentials), await bot({}, credentials)]
    pool.serve([mine, other])
    await pool.settled(10_000)
    const heard = [mine, other].map((served) => {
      const events: VenueEvent[] = []
      pool.client(served.bot.id)?.venue.follow?.((event) => void events.push(event))
      return events
    })
    await waitFor(() => heard.every(({ length }) => length > 0))
    pool.serve([other])
    const placed = await pool.client(other.bot.id)?.venue.place(planOf({ quantity: '0.01' }), () => undefined)
    expect(placed).toMatchObject({ outcome: 'done' })
    await waitFor(() => heard[1]?.some(({ kind }) => kind === 'order'))
    expect(heard[0]?.map(({ kind }) => kind)).toEqual(['gap'])
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
})
