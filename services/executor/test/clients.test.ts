import { expect, test } from '@jest/globals'
import { openBucket } from '@tripline/kit/bus/bucket'
import { sendRequest } from '@tripline/kit/bus/request'
import { diagnoseBots } from '@tripline/proto/executor-request'
import { partitionOf } from '@tripline/proto/subject'
import { SealedCredentials } from '@tripline/proto/user-config'
import { waitFor } from '@tripline/testkit/wait-for'
import type { VenuePool } from '../src/venue/pool.ts'
import { countedConnections } from './counted-connections.ts'
import { rigOfTest } from './rig-of-test.ts'
import { withVenues } from './with-venues.ts'

const rig = rigOfTest()

async function run(commands: string): Promise<void> {
  await rig.resultOf(await rig.send(`MyBot(BTCUSDT) { ${commands} }`))
}

async function untilStates(expected: string[]): Promise<void> {
  await waitFor(async () => JSON.stringify(await rig.clientStates()) === JSON.stringify(expected), {
    deadlineMs: 30_000,
  })
}

test('users are notified when a bot is ready, and when it is gone; a new one is picked up', async () => {
  let served = 0
  await rig.startExecutor({
    decoratePool: (pool) => ({
      ...pool,
      serve: (bots) => {
        served++
        pool.serve(bots)
      },
    }),
  })
  await untilStates(['warm'])
  const before = served
  await rig.unlink()
  await untilStates(['warm', 'removed'])
  await rig.configure({})
  await untilStates(['warm', 'removed', 'warm'])
  // A change of one user is not one of all bots.
  expect(served).toBe(before)
})

test('a bot counts as connected once it is ready and until it is gone, under its present label', async () => {
  const contract = diagnoseBots(partitionOf(rig.userId))
  const connected = async () => (await sendRequest(rig.ops, contract, { userId: rig.userId })).connected
  await rig.startExecutor()
  await untilStates(['warm'])
  expect(await connected()).toEqual([{ label: 'MyBot', exchange: 'paper_futures' }])
  await rig.configure({ label: 'Renamed' })
  await waitFor(async () => (await connected())[0]?.label === 'Renamed')
  await rig.unlink()
  await waitFor(async () => (await connected()).length === 0)
})

test('users are notified that their exchange cannot be reached, and that a bot is ready once it can', async () => {
  const all = { match: {}, action: 'status', status: 503 }
  const fault = await rig.paper.armFault(all)
  await rig.startExecutor()
  await untilStates(['unreachable'])
  await rig.paper.removeFault(fault)
  await untilStates(['unreachable', 'warm'])
})

test('a bot is ready at the executor that it goes to while the one that leaves still serves it', async () => {
  const permitted = Promise.withResolvers<void>()
  const leaving = await rig.startExecutor(
    withVenues((venue) => ({
      place: async (order, onSent) => {
        await permitted.promise
        return await venue.place(order, onSent)
      },
    })),
  )
  const alertId = await rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }')
  await untilStates(['warm'])
  let successor: VenuePool | undefined
  await rig.startExecutor({ decoratePool: (pool) => (successor = pool) })
  const left = leaving.stop()
  await waitFor(() => successor?.counts().open === 1)
  permitted.resolve()
  expect(await rig.resultOf(alertId)).toMatchObject({ status: 'success' })
  await left
  expect(await rig.paper.journal()).toMatchObject([{ outcome: 'accepted' }])
  await untilStates(['warm', 'warm'])
})

test('a bot whose exchange cannot be reached does not hold up one that trades elsewhere', async () => {
  const spot = await rig.linkToo({ label: 'Spot', marketType: 'spot' })
  const givenUp = Promise.withResolvers<undefined>()
  await rig.startExecutor({
    decoratePool: (pool) => ({
      ...pool,
      client: (botId) => (botId === spot.botId ? undefined : pool.client(botId)),
      whenOpen: async (botId, timeoutMs) =>
        botId === spot.botId ? await givenUp.promise : await pool.whenOpen(botId, timeoutMs),
    }),
  })
  await untilStates(['warm', 'warm'])
  const held = await spot.send('Spot(BTCUSDT) { market(buy, 0.01) }')
  const free = await rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }')
  expect(await rig.resultOf(free)).toMatchObject({ status: 'success' })
  givenUp.resolve(undefined)
  expect(await rig.resultOf(held)).toMatchObject({ outcome: 'refused', diagnostics: [{ code: 'E404' }] })
})

test('a bot whose credentials are of no use refuses its alerts, and holds up none at the same exchange', async () => {
  const other = await rig.linkToo({ label: 'Other' })
  const credentials = await openBucket(rig.ops, 'credentials')
  const stored = await credentials.get(other.botId)
  const { sealed, ...ids } = SealedCredentials.parse(JSON.parse(stored?.text ?? 'null'))
  await credentials.put(ids.botId, JSON.stringify({ ...ids, sealed: `${sealed.slice(0, -8)}AAAAAAAA` }))
  // A wait for a client here takes too long for the test.
  const longMs = 600_000
  await rig.startExecutor({
    decoratePool: (pool) => ({ ...pool, whenOpen: async (botId) => await pool.whenOpen(botId, longMs) }),
  })
  const held = await other.send('Other(BTCUSDT) { market(buy, 0.01) }')
  const free = await rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }')
  const message = 'Other cannot trade: Its credentials cannot be opened any more: link the key again'
  expect(await rig.resultOf(held)).toMatchObject({
    outcome: 'refused',
    diagnostics: [{ code: 'E406', message }],
  })
  expect(await rig.resultOf(free)).toMatchObject({ status: 'success' })
})

/** Keys are looked at again soon. */
const keyTiming = { readyMs: 600_000, turnMs: 50, retryMs: 200, longestRetryMs: 400, calmMs: 100 }

test('a bot whose secret the exchange refuses is never ready, and its alerts ask the exchange nothing', async () => {
  const { apiKey } = await rig.paper.openAccount()
  const wrong = await rig.linkToo({ label: 'Wrong' }, { apiKey, secret: 'another' })
  const connections = countedConnections()
  await rig.startExecutor({ connections, keyTiming })
  const ofWrong = async () => (await rig.clientEvents()).filter(({ botId }) => botId === wrong.botId)
  const problem =
    'The API secret does not belong to this key. ' +
    'Delete it here and add it again with the key and secret as the exchange shows them. ' +
    'It is tried again every few minutes'
  await waitFor(async () => (await ofWrong()).length > 0, { deadlineMs: 30_000 })
  expect(await ofWrong()).toMatchObject([{ state: 'unreachable', problem }])
  await waitFor(async () => (await rig.clientStates()).includes('warm'))
  const asking = await rig.ops.connection.request(
    `executor.${partitionOf(rig.userId)}.bot.diagnose`,
    JSON.stringify({ userId: rig.userId }),
  )
  expect(asking.string()).toContain(problem)
  const before = connections.asked.length
  const refused = await rig.resultOf(await wrong.send('Wrong(BTCUSDT) { market(buy, 0.01) }'))
  const message = `Wrong cannot trade: ${problem}`
  expect(refused).toMatchObject({ outcome: 'refused', diagnostics: [{ code: 'E406', message }] })
  expect(connections.asked.slice(before).filter((path) => !path.endsWith('/ping'))).toEqual([])
  expect(await rig.resultOf(await rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }'))).toMatchObject({
    status: 'success',
  })
})

test('a bot whose account the exchange refuses later is reported, and is ready once it is taken again', async () => {
  await rig.startExecutor({ keyTiming })
  await untilStates(['warm'])
  await run('market(buy, 0.01)')
  const match = { apiKey: rig.credentials.apiKey }
  const revoked = await rig.paper.armFault({ match, action: 'reject', code: -2015 })
  const failed = await rig.resultOf(await rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }'))
  expect(failed).toMatchObject({ status: 'failed' })
  await untilStates(['warm', 'unreachable'])
  const refused = await rig.resultOf(await rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }'))
  expect(refused).toMatchObject({ outcome: 'refused', diagnostics: [{ code: 'E406' }] })
  expect((await rig.plan('MyBot(BTCUSDT) { market(buy, 0.01) }'))[0]).toMatchObject({ error_code: 'E406' })
  await rig.paper.removeFault(revoked)
  await untilStates(['warm', 'unreachable', 'warm'])
  const taken = await rig.resultOf(await rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }'))
  expect(taken).toMatchObject({ status: 'success' })
})

test('users are notified that a private stream is lost, and back; their bot is not connected in between', async () => {
  let pool: VenuePool | undefined
  await rig.startExecutor({ decoratePool: (made) => (pool = made) })
  const connected = new Set<number | undefined>()
  // A group of orders is watched by the reports of the private stream.
  const group = 'market(buy, 0.01); oco { stop(sell, 100%, 58000); limit(sell, 100%, 62000) }'
  await run(group)
  const looking = setInterval(() => connected.add(pool?.connectedOf(rig.userId).length), 1)
  const fault = await rig.paper.armFault({ match: {}, action: 'disconnect' })
  await waitFor(
    async () => {
      await run('limit(buy, 0.01, 59000, tag=a); cancel(tag=a)')
      return (await rig.clientStates()).includes('reconnecting')
    },
    { deadlineMs: 30_000 },
  )
  await rig.paper.removeFault(fault)
  await waitFor(async () => (await rig.clientStates()).at(-1) === 'live', { deadlineMs: 30_000 })
  clearInterval(looking)
  expect(connected).toEqual(new Set([1, 0]))
  expect(pool?.connectedOf(rig.userId)).toHaveLength(1)
})
