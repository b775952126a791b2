import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { openBucket } from '@tripline/kit/bus/bucket'
import { type Bus, connectBus } from '@tripline/kit/bus/bus'
import type { AlertId } from '@tripline/proto/id'
import { alertSubject, partitionOf } from '@tripline/proto/subject'
import { type Link, link } from '@tripline/testkit/link'
import { waitFor } from '@tripline/testkit/wait-for'
import { buildRig, type Rig } from './rig.ts'
import { withVenues } from './with-venues.ts'

let rig: Rig
let ways: Link[]
/** Each alert as it was stored. */
let bodies: string[]

beforeEach(async () => {
  rig = await buildRig()
  ways = []
  bodies = []
  rig.ops.connection.subscribe(alertSubject(rig.userId), {
    callback: (_error, message) => void bodies.push(message.string()),
  })
})
afterEach(async () => {
  await rig.stop()
  for (const way of ways) await way.stop()
})

const orders = ['buy', 'buy', 'sell'].map((side) => `MyBot(BTCUSDT) { market(${side}, 0.01) }`)

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

/** Begins streams anew; alerts lie in them as they did before they had ended. */
async function forget(streams: readonly ('ALERTS' | 'EVENTS')[], stored: readonly string[]): Promise<void> {
  const { streams: manager } = rig.ops.manager
  for (const stream of streams) {
    const { config } = await manager.info(stream)
    await manager.delete(stream)
    await manager.add(config)
  }
  for (const body of stored)
    await rig.ops.connection.jetstream().publish(alertSubject(rig.userId), Buffer.from(body))
}

async function allHaveEnded(): Promise<void> {
  const { streams } = rig.ops.manager
  await waitFor(async () => (await streams.info('ALERTS')).state.messages === 0, { deadlineMs: 90_000 })
}

const busRunOf = ({ connection }: Bus): string => connection.info?.server_id ?? ''

/** Writes the lease of an owner that died without a word. */
async function leaveLease(inOrder: string | undefined): Promise<void> {
  const leases = await openBucket(rig.ops, 'leases')
  const lease = { owner: 'dead', released: false, inOrder }
  await leases.put(`${partitionOf(rig.userId)}`, JSON.stringify(lease))
}

test('behind a takeover orders are placed once though the bus loses the end of its alerts', async () => {
  const sent: AlertId[] = []
  for (const text of orders) sent.push(await rig.send(text))
  await leaveLease(busRunOf(rig.ops))
  await waitFor(() => bodies.length === sent.length)
  const stored = [...bodies]
  await rig.startExecutor()
  for (const alertId of sent) await rig.resultOf(alertId)
  const all = [...sent, ...(await sendInTurn(orders.slice(0, 1)))]
  expect(await placed()).toEqual(all)
  await forget(['ALERTS'], stored)
  await allHaveEnded()
  expect(await placed()).toEqual(all)
})

test('orders of live alerts are placed once though the bus loses the end of its alerts', async () => {
  await rig.startExecutor()
  const sent = await sendInTurn(orders)
  await forget(['ALERTS'], bodies.slice(0, 2))
  await allHaveEnded()
  expect(await placed()).toEqual(sent)
})

test('behind a refusal that was lost with the bus no order is placed twice', async () => {
  const first = await rig.startExecutor()
  await rig.paper.addFault({
    match: { path: '/fapi/v1/order', method: 'POST' },
    action: 'reject',
    code: -2019,
    message: 'Margin is insufficient.',
    count: 1,
  })
  const sent = await sendInTurn(orders)
  await first.stop()
  expect(await placed()).toEqual(sent.slice(1))
  await forget(['ALERTS', 'EVENTS'], [...bodies])
  await leaveLease('the run before the power cut')
  await rig.startExecutor()
  await allHaveEnded()
  expect((await placed()).filter((alertId) => alertId !== sent[0])).toEqual(sent.slice(1))
})

test('a command that was begun out of order is looked up by every owner, also where blocks beside it sleep', async () => {
  for (const _owner of ['first', 'second']) ways.push(await link(rig.config.NATS_URL))
  const [firstWay, secondWay] = ways
  const connectBy = (way: Link | undefined) => async (options: Parameters<typeof connectBus>[0]) =>
    await connectBus({ ...options, url: way?.url ?? '' })
  await rig.startExecutor({
    connect: connectBy(firstWay),
    ...withVenues((venue) => ({
      place: async (order, onSent) => {
        await venue.place(order, onSent)
        firstWay?.cut()
        return await new Promise(() => undefined)
      },
    })),
  })
  const text = (side: string): string =>
    `MyBot(BTCUSDT) { market(${side}, 0.01) } MyBot(ETHUSDT) { wait(15) }`
  const begun = await rig.send(text('sell'))
  await waitFor(async () => (await placed()).length === 1)
  const ahead = await rig.send(text('buy'))
  await waitFor(() => bodies.length === 2)
  // The first owner let the later one pass, as it does with exits, and its lease says so.
  await forget(['ALERTS'], bodies.slice(0, 2).toReversed())
  await leaveLease(undefined)
  const isAsked = Promise.withResolvers<void>()
  await rig.startExecutor({
    connect: connectBy(secondWay),
    ...withVenues(() => ({
      lookUp: async () => {
        isAsked.resolve()
        return { outcome: 'unreachable', cause: 'no answer' }
      },
    })),
  })
  await isAsked.promise
  const leases = await openBucket(rig.ops, 'leases')
  const revision = async (): Promise<number> =>
    (await leases.get(`${partitionOf(rig.userId)}`))?.revision ?? 0
  const asked = await revision()
  // Renewed often enough to have said that all of it is run through.
  await waitFor(async () => (await revision()) > asked + 2, { deadlineMs: 30_000 })
  secondWay?.cut()
  await rig.startExecutor()
  await allHaveEnded()
  // The one ahead came back with a bus that had lost it, where nothing shows that it was not begun.
  expect(await placed()).toEqual([begun])
  const notSent = { commands: [{ status: 'failed', errorCode: 'E515' }] }
  // Its wait goes on where it is not over yet.
  expect(await rig.resultOf(ahead)).toMatchObject({ executions: [notSent, expect.anything()] })
})
