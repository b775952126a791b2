import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { connectBus } from '@tripline/kit/bus/bus'
import type { HttpService } from '@tripline/kit/lifecycle'
import { openDatabase } from '@tripline/kit/postgres'
import type { AlertId } from '@tripline/proto/id'
import { alertSubject } from '@tripline/proto/subject'
import { testLog } from '@tripline/testkit/log'
import { type ForgetfulNats, forgetfulNats } from '@tripline/testkit/nats'
import { waitFor } from '@tripline/testkit/wait-for'
import { type Generation, openBusMarkStore } from '../src/store/bus-mark-store.ts'
import type { Tables } from '../src/store/database.ts'
import { buildRig, type Rig } from './rig.ts'

let bus: ForgetfulNats
let rig: Rig

beforeEach(async () => {
  bus = await forgetfulNats()
  rig = await buildRig({ bus })
  await rig.startHistory()
})
afterEach(async () => await rig.stop())

const entry = 'MyBot(BTCUSDT) { market(buy, 0.01) }'
const exit = 'MyBot(BTCUSDT) { market(position=0) }'

async function start(): Promise<HttpService> {
  return await rig.startExecutor({
    connect: async (options) => await connectBus({ ...options, roundTripMs: 200 }),
  })
}

/** The alerts whose orders the exchange took, in the order in which it did. */
async function placed(): Promise<string[]> {
  const journal = await rig.paper.journal()
  return journal.flatMap(({ outcome, clientOrderId }) =>
    outcome === 'accepted' ? [clientOrderId?.slice(1, 27) ?? ''] : [],
  )
}

async function sendInTurn(texts: readonly string[]): Promise<AlertId[]> {
  const sent: AlertId[] = []
  for (const text of texts) {
    const alertId = await rig.send(text)
    await rig.resultOf(alertId)
    sent.push(alertId)
  }
  await rig.noAlertsWait()
  return sent
}

async function allHaveEnded(): Promise<void> {
  const { streams } = rig.ops.manager
  await waitFor(async () => (await streams.info('ALERTS')).state.messages === 0, { deadlineMs: 90_000 })
}

/** The present generation of the marks. */
async function generation(): Promise<Generation> {
  const db = openDatabase<Tables>(rig.config.DATABASE_URL, 'executor', testLog('marks'))
  const { generation } = await openBusMarkStore(db).read()
  await db.destroy()
  return generation
}

async function isConnectedAgain(): Promise<void> {
  await waitFor(() => rig.ops.isConnected(), { deadlineMs: 60_000 })
}

const positions = async (): Promise<string[]> =>
  (await rig.account()).positions.map(({ quantity }) => quantity)

test('an exit whose deletion was lost with the bus never closes a later position', async () => {
  const first = await start()
  await sendInTurn([entry])
  await first.stop()
  const exited = await rig.send(exit)
  const saved = await bus.save()
  const second = await start()
  await rig.resultOf(exited)
  await sendInTurn([entry])
  expect(await positions()).toEqual(['0.01'])
  await second.stop()
  await bus.putBack(saved, ['ALERTS', 'EVENTS'])
  await isConnectedAgain()
  await start()
  await allHaveEnded()
  expect(await positions()).toEqual(['0.01'])
  expect(await placed()).toHaveLength(3)
  expect(await generation()).toMatchObject({ number: 1, losses: { ALERTS: 'shorter', EVENTS: 'shorter' } })
})

test('an exit that lies in the stream again is known by history alone, where no mark shows a loss', async () => {
  const bodies: string[] = []
  rig.ops.connection.subscribe(alertSubject(rig.userId), {
    callback: (_error, message) => void bodies.push(message.string()),
  })
  const first = await start()
  await sendInTurn([entry, exit, entry])
  await first.stop()
  await rig.ops.manager.streams.purge('EVENTS')
  await rig.ops.connection.jetstream().publish(alertSubject(rig.userId), Buffer.from(bodies[1] ?? ''))
  await start()
  await allHaveEnded()
  expect(await positions()).toEqual(['0.01'])
  expect(await generation()).toMatchObject({ number: 0 })
})

/** The time behind a mark in which alerts may have been stored that it does not show. */
const unmarkedMs = 2000

/** Settles once alerts that are stored count as new: within 2 s of the last marks they may have been lost and come back. */
async function windowIsOver(): Promise<void> {
  const db = openDatabase<Tables>(rig.config.DATABASE_URL, 'executor', testLog('marks'))
  const { generation, marks } = await openBusMarkStore(db).read()
  await db.destroy()
  const until = Math.max(generation.cameBackUntil, ...marks.map(({ markedAt }) => markedAt + unmarkedMs))
  await waitFor(() => Date.now() > until)
}

const everything = undefined
const losses: [string, readonly string[] | undefined][] = [
  ['its alerts', ['ALERTS']],
  ['its events', ['EVENTS']],
  ['its buckets', ['KV_leases', 'KV_progress', 'KV_watches']],
  ['all of it', everything],
]

describe.each(losses)('a bus that is put back with %s', (_name, streams) => {
  test('doubles no order of executors that are alive, and serves on', async () => {
    await start()
    const before = await sendInTurn([entry])
    const saved = await bus.save()
    const since = await sendInTurn([entry, exit, entry])
    await bus.putBack(saved, streams)
    await waitFor(async () => (await generation()).number === 1, { deadlineMs: 60_000 })
    await isConnectedAgain()
    await windowIsOver()
    const after = await rig.send(entry)
    if (streams?.includes('KV_leases') === false) await rig.resultOf(after)
    else {
      // An owner whose lease is gone ends itself; its successor is another process.
      await start()
      await rig.resultOf(after)
    }
    await allHaveEnded()
    expect(await placed()).toEqual([...before, ...since, after])
  })

  test('doubles no order where all executors were away', async () => {
    const first = await start()
    const before = await sendInTurn([entry])
    const saved = await bus.save()
    const since = await sendInTurn([entry, exit, entry])
    await first.stop()
    await bus.putBack(saved, streams)
    await isConnectedAgain()
    await windowIsOver()
    const after = await rig.send(entry)
    await start()
    await rig.resultOf(after)
    await allHaveEnded()
    expect(await placed()).toEqual([...before, ...since, after])
    expect(await generation()).toMatchObject({ number: 1 })
  })
})

test('a lost end is noticed behind as many alerts as were lost', async () => {
  const first = await start()
  await sendInTurn([entry])
  await first.stop()
  const exited = await rig.send(exit)
  const saved = await bus.save()
  const second = await start()
  await rig.resultOf(exited)
  const since = await sendInTurn([entry, entry])
  await second.stop()
  await bus.putBack(saved, ['ALERTS', 'EVENTS'])
  await isConnectedAgain()
  await windowIsOver()
  const after: AlertId[] = []
  for (const text of [entry, entry, entry]) after.push(await rig.send(text))
  await start()
  for (const alertId of after) await rig.resultOf(alertId)
  await allHaveEnded()
  expect((await placed()).slice(2)).toEqual([...since, ...after])
  expect(await generation()).toMatchObject({ number: 1, losses: { ALERTS: 'overwritten' } })
})

test('restarts of executors and of the bus are no roll-backs', async () => {
  const first = await start()
  const sent = await sendInTurn([entry, entry])
  await bus.kill()
  await isConnectedAgain()
  sent.push(...(await sendInTurn([entry])))
  await first.stop()
  await start()
  await bus.kill()
  await isConnectedAgain()
  sent.push(...(await sendInTurn([entry])))
  expect(await placed()).toEqual(sent)
  expect(await generation()).toMatchObject({ number: 0, cameBackUntil: 0 })
})
