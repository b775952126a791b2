import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { Bus } from '@tripline/kit/bus/bus'
import { now } from '@tripline/kit/time/clock'
import type { AlertId, BotId, ClientOrderId, ExecutionId, UserId } from '@tripline/proto/id'
import { partitionOf } from '@tripline/proto/subject'
import { testLog } from '@tripline/testkit/log'
import { waitFor } from '@tripline/testkit/wait-for'
import { btcusdt } from '../../test/btcusdt.ts'
import { filled } from '../../test/scripted-run.ts'
import type { CancelCommand } from '../domain/execution/cancel-orders.ts'
import { absenceRules } from '../domain/order/absence.ts'
import { createDoubts } from '../monitoring/doubts.ts'
import type { RecordStore, StoredRecord } from '../store/record-store.ts'
import type { BotClient, VenuePool } from '../venue/pool.ts'
import type { Venue, VenueEvent } from '../venue/venue.ts'
import { createWatches, type Watches } from './watches.ts'

const user = 'user' as UserId
const other = 'another user' as UserId
const mine = 'mine' as BotId
const canceled = {
  clientOrderIds: [],
  command: {} as CancelCommand,
  alertId: '01M8AFNR95YN8WFWTDTFTD9FFJ' as AlertId,
  isCloseOnly: false,
}
const at = (userId: UserId) => watches.at({ userId, botId: mine, accountKey: 'account', symbol: 'BTCUSDT' })

let clients: Map<BotId, BotClient>
let receive: (event: VenueEvent) => void
let unlinked: Set<UserId>
let noteChange: (userId: UserId) => void
let watches: Watches
beforeEach(() => {
  clients = new Map()
  unlinked = new Set()
})
afterEach(async () => {
  await Promise.all([user, other].map(async (userId) => await watches.leave(partitionOf(userId))))
})

/** Watches that own nothing yet, with the stored records. */
function watchesOver(storedIn: (partition: number) => Promise<readonly StoredRecord[]>): Watches {
  const records = {
    async *recordsOf(partition: number) {
      yield* await storedIn(partition)
    },
    forget: async () => undefined,
  } as unknown as RecordStore
  const pool: Pick<VenuePool, 'client' | 'botsAt' | 'whenOpen'> = {
    client: (botId) => clients.get(botId),
    botsAt: (accountKey) =>
      [...clients].flatMap(([botId, client]) => (client.accountKey === accountKey ? [botId] : [])),
    whenOpen: async () => await new Promise(() => undefined),
  }
  return createWatches({
    bus: {} as Bus,
    pool: pool as VenuePool,
    records,
    entries: { note: () => undefined, stored: async () => undefined },
    directory: {
      bot: () => undefined,
      isLinked: (userId) => !unlinked.has(userId),
      onChange: (listener) => {
        noteChange = listener
      },
    },
    holdOf: () => 'held',
    epochOf: () => 1,
    doubts: createDoubts(),
    log: testLog('watches'),
  })
}

/** Has a bot's client be open. */
function open(botId: BotId, accountKey: string): void {
  const venue: Pick<Venue, 'market' | 'follow' | 'openOrders' | 'read'> = {
    market: () => btcusdt,
    follow: (listener) => {
      if (botId === mine) receive = listener
      return () => undefined
    },
    openOrders: async () => ({ outcome: 'unreachable', cause: 'no answer' }),
    read: async () => ({ outcome: 'unreachable', cause: 'no answer' }),
  }
  const market = 'paper_futures'
  clients.set(botId, { venue: venue as Venue, accountKey, market, absence: absenceRules[market] })
}

let made = 0
/** The record of a limit order that can only make a position smaller. */
function exitOf(userId: UserId, botId: BotId): StoredRecord {
  const alertId = `01M8AFNR95YN8WFW${String(made++).padStart(10, '0')}` as AlertId
  const plan = {
    clientOrderId: `t${alertId}00000` as ClientOrderId,
    symbol: 'BTCUSDT',
    type: 'limit',
    side: 'sell',
    quantity: '0.01',
    price: '65000',
    reduceOnly: true,
    positionSide: 'both',
    sizing: '0.01',
  } as const
  return {
    subject: {
      userId,
      alertId,
      executionId: `${alertId}-0` as ExecutionId,
      botId,
      label: 'MyBot',
      exchange: 'paper_futures',
      symbol: 'BTCUSDT',
      command: 0,
      type: 'limit',
    },
    record: {
      state: 'live',
      keeper: 'venue',
      rules: { mode: 'cancel', onPartial: 'keep' },
      legs: [{ decision: { plan }, revision: 0 }],
      isLone: true,
    },
    revision: 1,
    at: now(),
  }
}

/** Continues these records, those of each user in the partition of that user. */
async function goOnWith(stored: readonly StoredRecord[]): Promise<void> {
  const isIn =
    (partition: number) =>
    ({ subject }: StoredRecord) =>
      partitionOf(subject.userId) === partition
  watches = watchesOver(async (partition) => stored.filter(isIn(partition)))
  await watches.claim(new Set([user, other].map(partitionOf)))
}

test('a cancel waits for the records of its own partition, and not for those of others', async () => {
  const [many, few] = [partitionOf(user), partitionOf(other)]
  expect(many).not.toBe(few)
  const reading = Promise.withResolvers<void>()
  watches = watchesOver(async (partition) => {
    if (partition === many) await reading.promise
    return []
  })
  const claimed = watches.claim(new Set([many, few]))
  const ended: UserId[] = []
  const ends = [user, other].map(async (userId) => {
    await at(userId).end(canceled)
    ended.push(userId)
  })
  await turn()
  expect(ended).toEqual([other])
  reading.resolve()
  await Promise.all([claimed, ...ends])
  expect(ended).toEqual([other, user])
})

test('the exits of an account are those of all bots that have it', async () => {
  const twin = 'twin' as BotId
  const stranger = 'stranger' as BotId
  open(mine, 'account')
  open(twin, 'account')
  open(stranger, 'another account')
  await goOnWith([exitOf(user, mine), exitOf(other, twin), exitOf(other, stranger)])
  await waitFor(() => watches.countOf(user) + watches.countOf(other) === 3)
  for (const areComingToo of [false, true])
    expect(await at(user).exits(areComingToo)).toMatchObject([
      { subject: { botId: mine } },
      { subject: { botId: twin } },
    ])
})

describe('of many watches', () => {
  const foreign = 'foreign' as BotId
  let looks: number
  beforeEach(() => {
    looks = 0
    open(mine, 'account')
    open(foreign, 'another account')
  })

  /** The record, of which each look at what it is of counts. */
  function counted(stored: StoredRecord): StoredRecord {
    const subject = new Proxy(stored.subject, {
      get: (of, name, receiver) => {
        looks++
        return Reflect.get(of, name, receiver)
      },
    })
    return { ...stored, subject }
  }

  test('those of other bots are not looked at when an alert asks, or a stream reports', async () => {
    const unopened = 'unopened' as BotId
    const others = [foreign, foreign, foreign, unopened].map((botId) => counted(exitOf(other, botId)))
    await goOnWith([...others, exitOf(user, mine)])
    await waitFor(() => watches.countOf(other) === 3 && watches.countOf(user) === 1)
    expect(looks).toBeGreaterThan(0)
    looks = 0
    const own = at(user)
    expect(await own.exits(false)).toHaveLength(1)
    expect(await own.exits(true)).toHaveLength(1)
    await own.end(canceled)
    await own.ownExits()
    await own.takeBack('sale', [])
    receive({ kind: 'order', order: filled({ side: 'sell' }) })
    receive({ kind: 'gap' })
    unlinked.add(user)
    noteChange(user)
    await waitFor(() => watches.countOf(user) === 0)
    await watches.leave(partitionOf(user))
    expect(looks).toBe(0)
  })

  test('each is looked at as often when it begins, however many its bot has', async () => {
    const looksFor = async (count: number): Promise<number> => {
      looks = 0
      await goOnWith(Array.from({ length: count }, () => counted(exitOf(other, foreign))))
      await waitFor(() => watches.countOf(other) === count)
      const needed = looks
      await watches.leave(partitionOf(other))
      return needed
    }
    const few = await looksFor(10)
    expect(await looksFor(100)).toBe(10 * few)
  })
})
