import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Bus, connectBus } from '@tripline/kit/bus/bus'
import { calls } from '@tripline/proto/http/calls'
import { ExecutionView } from '@tripline/proto/http/execution'
import { renderUpgradeNatsConfig, versionBefore } from '@tripline/testkit/infra/nats-config'
import { temporaryFolder } from '@tripline/testkit/infra/temporary-folder'
import { testLog } from '@tripline/testkit/log'
import { paperControl } from '@tripline/testkit/paper-control'
import { callApi } from '@tripline/testkit/people/call-api'
import { type CrowdTarget, type Member, openCrowd } from '@tripline/testkit/people/crowd'
import { newTrader, type Trader } from '@tripline/testkit/people/trader'
import { isLongRun } from '@tripline/testkit/seed'
import { waitFor } from '@tripline/testkit/wait-for'
import { z } from 'zod'
import { type Production, startProduction } from '../production/production.ts'
import { formerRelease, presentRelease, type Release } from '../production/release.ts'
import { carefulSender } from './careful-sender.ts'
import { openSenders, type Senders } from './senders.ts'
import { watchShares } from './shares.ts'
import { byLane, executionEnds, isRepeated, placedOrders } from './what-came.ts'

const count = 12
const alertsBetween = 40
const newcomers = 6

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let former: Release
let present: Release
let production: Production
let ops: Bus
let target: CrowdTarget
let senders: Senders
let impatient: Member

beforeAll(async () => {
  if (!isLongRun) return
  folder = await temporaryFolder()
  // One after the other: both build the web app.
  former = await formerRelease(folder.folder, versionBefore().commit)
  present = await presentRelease(folder.folder)
  production = await startProduction(former)
  const seed = await production.secret('setup/NATS_NKEY_SEED')
  ops = await connectBus({ url: production.natsUrl, user: 'ops', seed, log: testLog('ops') })
  target = {
    urls: production.urls,
    sealPublicKeys: await production.secret('gateway/SEAL_PUBLIC_KEYS'),
  }
  const [first, ...others] = await openCrowd(target, ops, count, 1)
  if (first === undefined) throw new Error('there is a crowd')
  impatient = first
  senders = openSenders(others.map(({ webhookUrl }) => ({ url: webhookUrl, label: 'Bot0' })))
}, 600_000)
afterAll(async () => {
  await ops?.close()
  await production?.stop()
  await folder?.remove()
}, 60_000)

const longTest = isLongRun ? test : test.skip
longTest(
  'two versions take over from each other under load, and nobody notices',
  async () => {
    senders.start()
    const resending = new AbortController()
    const resends = resendOnAndOn(resending.signal)
    await senders.more(alertsBetween)

    await production.permit(renderUpgradeNatsConfig())
    await expectAllWell()
    await production.release(present)
    await expectAllWell()
    await production.upgrade(expectAllShare)
    await production.permit(busUsersOf(present))
    await expectAllShare()
    const person = await newTrader(production)
    await expectServed(person, 'Before')
    await senders.more(alertsBetween)

    await production.permit(renderUpgradeNatsConfig())
    await production.release(former)
    await production.upgrade(async () => {
      await expectAllShare()
      await expectServed(person, 'Meanwhile')
    })
    await production.permit(busUsersOf(former))
    await expectAllShare()
    await expectServed(person, 'Afterwards')
    await senders.more(alertsBetween)

    await senders.stop()
    resending.abort()
    await resends
    expect(senders.answers.filter(({ status }) => status !== 200 && status !== 202)).toEqual([])
    await waitFor(async () => (await ops.manager.streams.info('ALERTS')).state.messages === 0, {
      deadlineMs: 60_000,
    })
    const placed = await placedOrders(production.urls.paper)
    expect(placed.filter(isRepeated)).toEqual([])
    // Newcomers may be refused until they are known, and the impatient one is as former versions treat him.
    const ids = new Set(senders.answers.map(({ alertId }) => alertId))
    const ends = (await executionEnds(ops)).filter(({ executionId }) => ids.has(executionId.slice(0, 26)))
    expect(ends.filter(({ status }) => status !== 'success')).toEqual([])
    expect(ends.length).toBe(senders.answers.length)
    const accepted = placed.filter(({ outcome }) => outcome === 'accepted').map(senders.inItsLane)
    expect(byLane(accepted.filter(({ lane }) => lane !== 'undefined'))).toEqual(
      byLane(senders.wantedOrders()),
    )
  },
  900_000,
)

function busUsersOf({ busFiles }: Release): string {
  const { 'users.conf': users } = busFiles
  if (users === undefined) throw new Error('the bus of this version has no users')
  return users
}

async function expectAllWell(): Promise<void> {
  await senders.more(alertsBetween)
  expect(await production.unwell()).toEqual([])
}

/** Sends alerts that take longer than their sender waits, so that each comes again and lies in the stream for long. */
async function resendOnAndOn(stopping: AbortSignal): Promise<void> {
  const slow = { match: { symbol: 'ETHUSDT', path: '/fapi/v1/order' }, action: 'delay', ms: 1500 }
  await paperControl(production.urls.paper).addFault(slow)
  const sender = carefulSender(impatient.webhookUrl)
  for (let index = 0; !stopping.aborted; index++) {
    const limitsMs = [500, 60_000, 60_000, 60_000]
    const side = index % 2 === 0 ? 'buy' : 'sell'
    await sender.send(`Bot0(ETHUSDT) { market(${side}, 0.1) }`, () => limitsMs.shift() ?? 0)
  }
  sender.close()
}

/** Has all executors share the partitions, and people trade who are new to every process. */
async function expectAllShare(): Promise<void> {
  await expectAllWell()
  const shares = await watchShares(ops)
  await shares.sharedBetween(2)
  shares.stop()
  const crowd = await openCrowd(target, ops, newcomers, 1)
  const trade = async ({ webhookUrl }: Member): Promise<void> => {
    // Each intake receives them, and so does the executor that has their partition.
    await waitFor(async () => (await post(webhookUrl, 'Bot0(BTCUSDT) { market(buy, 0.01) }')) === 200)
  }
  await Promise.all(crowd.map(trade))
  expect(await production.unwell()).toEqual([])
}

async function post(url: string, message: string): Promise<number> {
  const answer = await fetch(`${url}?wait=60000`, { method: 'POST', body: message })
  await answer.text()
  return answer.status
}

/** As much of the history's answer as both versions have. */
const Rows = z.object({
  executions: z.array(ExecutionView.pick({ api_key_label: true, overall_status: true })),
})

/** Has somebody link a bot, trade with it, and see the outcome live and in the history. */
async function expectServed(person: Trader, label: string): Promise<void> {
  await person.linkPaperBot(label, 'futures')
  const live = await person.openStream()
  const answer = await person.send(`${label}(BTCUSDT) { market(buy, 0.01) }`)
  expect(answer).toMatchObject({ status: 200, body: { status: 'success' } })
  await waitFor(() => live.events.some(({ details }) => details?.phase === 'done'))
  live.stop()
  await waitFor(async () => {
    const page = await callApi(production.urls.web, calls.listExecutions({ limit: 1 }), person)
    const [newest] = Rows.parse(page).executions
    return newest?.api_key_label === label && newest.overall_status === 'success'
  })
}
