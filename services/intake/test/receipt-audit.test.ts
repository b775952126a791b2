import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { Bus } from '@tripline/kit/bus/bus'
import { now } from '@tripline/kit/time/clock'
import { AlertId, type UserId } from '@tripline/proto/id'
import type { ReceiptState } from '@tripline/proto/intake-request'
import { alertSubject } from '@tripline/proto/subject'
import { waitFor } from '@tripline/testkit/wait-for'
import { sql } from 'kysely'
import { firstIdAt } from '../src/alert-id.ts'
import { type AuditDeps, auditOnce, auditTimes } from '../src/audit/audit.ts'
import { type Webhooks, watchWebhooks } from '../src/consumers/webhooks.ts'
import { createIntakeMetrics } from '../src/metrics.ts'
import { type AuditProgress, inAuditTurn } from '../src/store/audit-rows.ts'
import { type HistoryPeer, startHistoryPeer } from './history-peer.ts'
import { type Surroundings, surroundings, type TestUser } from './surroundings.ts'

const message = 'MyBot(BTCUSDT) { market(buy, 0.01) }'
const minuteMs = 60_000

let around: Surroundings
let bus: Bus
let ops: Bus
let history: HistoryPeer
let webhooks: Webhooks
let deps: AuditDeps
let faults: string[]
let progress: AuditProgress

beforeAll(async () => {
  // Nobody executes, and only the test audits.
  around = await surroundings({ RESULT_WAIT_MS: '0', RECEIPT_AUDIT_SECONDS: '60' })
  ;[bus, ops] = await Promise.all([around.nats.connect('intake'), around.nats.connect('ops')])
  history = startHistoryPeer(await around.nats.connect('history'))
  webhooks = await watchWebhooks(bus)
})
beforeEach(async () => {
  faults = []
  progress = { turnAt: undefined, auditedAt: undefined, coveredFrom: undefined, lookedUntil: [] }
  history.clear()
  deps = {
    bus,
    db: around.db,
    clock: now,
    webhooks,
    metrics: { receiptFaults: { add: ({ kind }) => faults.push(kind) } },
    times: { ...auditTimes(20_000), lookAgainMs: 50 },
    retentionDays: 400,
  }
  await around.db.deleteFrom('receipt').execute()
  await around.db.deleteFrom('receipt_problem').execute()
})
afterAll(async () => {
  history.stop()
  webhooks.stop()
  await around.stop()
})

async function send(user: TestUser, text = message): Promise<AlertId> {
  const { status, body } = await around.post(user.token, text)
  expect([status, typeof body.receipt?.number]).toEqual([202, 'number'])
  return body.alert_id
}

let madeIds = 0

/** The id of an alert that is received so much later; intake's own would never go back. */
function idAfter(laterMs: number): AlertId {
  return AlertId.parse(firstIdAt(now() + laterMs).slice(0, -4) + String(++madeIds).padStart(4, '0'))
}

/** Audits as if so much later; remembers how far it came. */
async function audit(laterMs = 15_000): Promise<void> {
  ;({ progress } = await auditOnce(deps, progress, now() + laterMs, new AbortController().signal))
}

async function stateOf(alertId: AlertId): Promise<[ReceiptState, string | null]> {
  const row = await around.db
    .selectFrom('receipt')
    .select(['state', 'message'])
    .where('alert_id', '=', alertId)
    .executeTakeFirstOrThrow()
  return [row.state, row.message]
}

async function purge(): Promise<void> {
  await ops.manager.streams.purge('ALERTS')
}

async function problemsOf(user: TestUser): Promise<string[]> {
  return (await around.receiptsOf(user)).problems.map(({ kind }) => kind)
}

describe('a receipt', () => {
  test('whose alert has ended is ended, and its text is deleted', async () => {
    const user = await around.addUser()
    const { userId } = user.config
    const [done, refused, half] = [
      await send(user),
      await send(user),
      await send(user, `${message}\n${message}`),
    ]
    history.note(userId, done, { ended: 1 })
    history.note(userId, refused, { refusal: 'E401', ended: 0 })
    history.note(userId, half, { ended: 1, open: 1 })
    await audit(5000)
    expect(await stateOf(done)).toEqual(['open', message])
    await audit()
    expect(await stateOf(done)).toEqual(['ended', null])
    expect(await stateOf(refused)).toEqual(['ended', null])
    expect((await stateOf(half))[0]).toBe('open')
    expect(faults).toEqual([])
  })

  test('whose alert is still there is open, and waits where nobody has begun it for a minute', async () => {
    const user = await around.addUser()
    const [begun, waits] = [await send(user), await send(user)]
    history.note(user.config.userId, begun, { open: 1 })
    await audit(50_000)
    expect([(await stateOf(begun))[0], (await stateOf(waits))[0]]).toEqual(['open', 'open'])
    await audit(2 * minuteMs)
    expect([(await stateOf(begun))[0], (await stateOf(waits))[0]]).toEqual(['open', 'waiting'])
    history.note(user.config.userId, waits, { open: 1 })
    await audit(3 * minuteMs)
    expect((await stateOf(waits))[0]).toBe('open')
    expect(faults).toEqual([])
  })

  test('whose alert is gone without an end is lost: its owner is notified once, with the text', async () => {
    const user = await around.addUser()
    const lost = await send(user)
    await purge()
    await audit()
    await audit(60_000)
    expect(await stateOf(lost)).toEqual(['lost', message])
    expect(faults).toEqual(['lost'])
    const events = await around.refusalsOf(user)
    expect(events).toEqual([
      expect.objectContaining({
        kind: 'alert.refused',
        eventId: `${lost}.-.lost`,
        alertId: lost,
        message,
        label: 'MyBot',
        errorCode: 'E606',
        error: expect.stringContaining('Nothing of it is known to have run'),
      }),
    ])
    expect((await around.receiptsOf(user, { state: 'lost' })).receipts).toEqual([
      expect.objectContaining({ alertId: lost, message }),
    ])
  })

  test('is not lost while history has yet to take what was stored', async () => {
    const user = await around.addUser()
    const alertId = await send(user)
    await purge()
    history.fallBehind(1)
    const behind = audit()
    setTimeout(() => {
      history.note(user.config.userId, alertId, { ended: 1 })
      history.fallBehind(0)
    }, 500)
    await behind
    expect((await stateOf(alertId))[0]).toBe('ended')
    expect(faults).toEqual([])
  })

  test('is not lost where its alert lies at another sequence than it did', async () => {
    const user = await around.addUser()
    const alertId = await send(user)
    const [alert] = await around.alertsOf(user)
    await purge()
    await send(await around.addUser())
    await ops.jetstream.publish(alertSubject(user.config.userId), JSON.stringify(alert))
    await audit()
    expect([(await stateOf(alertId))[0], faults]).toEqual(['open', []])
  })

  test('of an alert whose sequence is another one now is lost', async () => {
    const user = await around.addUser()
    const alertId = await send(user)
    await around.db.updateTable('receipt').set({ sequence: 1 }).where('alert_id', '=', alertId).execute()
    await purge()
    await audit()
    expect([(await stateOf(alertId))[0], faults]).toEqual(['lost', ['lost']])
  })

  test('of an answer of 503 needs no end, and is ended where there is one', async () => {
    const user = await around.addUser()
    const { userId } = user.config
    const [never, ran] = [await send(user), await send(user)]
    await around.db.updateTable('receipt').set({ is_confirmed: false }).execute()
    await purge()
    // History says of both that they could not be confirmed.
    history.note(userId, never, { refusal: 'not_durable', ended: 0 })
    history.note(userId, ran, { refusal: 'not_durable', ended: 1 })
    await audit()
    expect([(await stateOf(never))[0], (await stateOf(ran))[0]]).toEqual(['open', 'ended'])
    await audit(11 * minuteMs)
    expect([await stateOf(never), faults]).toEqual([['unstored', null], []])
  })

  test('that was lost and ends after all is ended, with a problem', async () => {
    const user = await around.addUser()
    const alertId = await send(user)
    await purge()
    await audit()
    history.note(user.config.userId, alertId, { refusal: 'E606', ended: 0 })
    await audit(30_000)
    expect((await stateOf(alertId))[0]).toBe('lost')
    history.note(user.config.userId, alertId, { refusal: 'E606', ended: 1 })
    await audit(60_000)
    expect([(await stateOf(alertId))[0], await problemsOf(user)]).toEqual(['ended', ['ended_after_lost']])
    expect(faults).toEqual(['lost', 'ended_after_lost'])
  })

  test('is judged by nobody while history does not answer', async () => {
    const user = await around.addUser()
    const alertId = await send(user)
    await purge()
    history.stop()
    try {
      await audit()
      expect((await stateOf(alertId))[0]).toBe('open')
      expect(progress.auditedAt).toBeUndefined()
    } finally {
      history = startHistoryPeer(await around.nats.connect('history'))
    }
    await audit(30_000)
    expect((await stateOf(alertId))[0]).toBe('lost')
  })
})

describe('an alert of the history', () => {
  const hour = 60 * minuteMs

  /** Audits each 20 s of a span, so that no turn is missing. */
  async function auditFor(fromMs: number, untilMs: number): Promise<void> {
    for (let at = fromMs; at <= untilMs; at += 20_000) await audit(at)
  }

  /** An alert that only history knows, received so much later. */
  function unreceipted(userId: UserId, laterMs: number): AlertId {
    const alertId = idAfter(laterMs)
    history.note(userId, alertId, { ended: 1 })
    return alertId
  }

  test('without a receipt is a problem, once receipts have been made for long enough', async () => {
    const user = await around.addUser()
    const { userId } = user.config
    history.note(userId, await send(user), { ended: 1 })
    const upgrade = unreceipted(userId, 2 * minuteMs)
    const killed = unreceipted(userId, 12 * minuteMs)
    await auditFor(15_000, 13 * minuteMs)
    expect(await problemsOf(user)).toEqual([])
    await auditFor(13 * minuteMs, 14 * minuteMs)
    const { problems } = await around.receiptsOf(user)
    expect(problems.map(({ kind, alertId }) => [kind, alertId])).toEqual([['no_receipt', killed]])
    expect(upgrade < killed).toBe(true)
    expect(faults).toEqual(['no_receipt'])
  })

  test('that was received while turns were missing is not judged', async () => {
    const user = await around.addUser()
    const { userId } = user.config
    history.note(userId, await send(user), { ended: 1 })
    await auditFor(15_000, 12 * minuteMs)
    unreceipted(userId, 12.5 * minuteMs)
    await auditFor(14 * minuteMs, 17 * minuteMs)
    expect([await problemsOf(user), faults]).toEqual([[], []])
  })

  test('that was refused without running has none, and nothing is judged before the first receipt', async () => {
    const user = await around.addUser()
    const { userId } = user.config
    unreceipted(userId, 0)
    await auditFor(0, 2 * minuteMs)
    history.note(userId, await send(user), { ended: 1 })
    const refused = idAfter(14 * minuteMs)
    history.note(userId, refused, { refusal: 'E201', ended: 0 })
    await auditFor(2 * minuteMs, 17 * minuteMs)
    expect([await problemsOf(user), faults]).toEqual([[], []])
  })

  test('whose receipt comes later is no problem any more', async () => {
    const user = await around.addUser()
    const { userId } = user.config
    history.note(userId, await send(user), { ended: 1 })
    const late = unreceipted(userId, 11 * minuteMs)
    await auditFor(15_000, 13.5 * minuteMs)
    expect(await problemsOf(user)).toEqual(['no_receipt'])
    await around.db.updateTable('receipt').set({ alert_id: late }).execute()
    await audit(14 * minuteMs)
    expect(await problemsOf(user)).toEqual([])
  })

  test.each([
    ['with different ends', { ended: 1, contradicted: 1 }],
    ['once as refused and once as executed', { refusal: 'E401', ended: 1 }],
  ])('that ended twice, %s, is a problem', async (_, ends) => {
    const user = await around.addUser()
    const { userId } = user.config
    history.note(userId, await send(user), { ended: 1 })
    const twice = unreceipted(userId, 11 * minuteMs)
    history.note(userId, twice, ends)
    await sql`
      insert into receipt (user_id, number, alert_id, received_at, message_hash, previous_hash, hash, is_confirmed, blocks,
        state)
      select user_id, 2, ${twice}, received_at, message_hash, previous_hash, hash, is_confirmed, blocks, 'ended' from receipt
    `.execute(around.db)
    await auditFor(15_000, 13.5 * minuteMs)
    expect([await problemsOf(user), faults]).toEqual([['ended_twice'], ['ended_twice']])
  })

  test('a day old is looked at once more', async () => {
    const user = await around.addUser()
    const { userId } = user.config
    const alertId = await send(user)
    history.note(userId, alertId, { ended: 1 })
    const lookAt = async (laterMs: number): Promise<void> => {
      progress = { ...progress, turnAt: now() + laterMs }
      await audit(laterMs + 1000)
    }
    progress = { ...progress, coveredFrom: now() - hour }
    await lookAt(16 * minuteMs)
    history.note(userId, alertId, { ended: 1, contradicted: 1 })
    await lookAt(23 * hour)
    expect(faults).toEqual([])
    await lookAt(24 * hour)
    expect(faults).toEqual(['ended_twice'])
  })
})

test('of several processes one audits at a time, and none right behind another', async () => {
  const at = now() + 1000 * minuteMs
  const everyMs = 20_000
  let running = 0
  let most = 0
  let turns = 0
  let settled = 0
  const take = async (laterMs: number): Promise<number | undefined> =>
    await inAuditTurn(around.db, { now: at + laterMs, everyMs }, async (last) => {
      turns++
      most = Math.max(most, ++running)
      // The others find it taken, and go.
      await waitFor(() => settled >= 2)
      running--
      return { ...last, turnAt: at + laterMs, auditedAt: at + laterMs }
    })
  await Promise.all([1, 2, 3].map(async () => void (await take(0).finally(() => settled++))))
  expect([turns, most]).toEqual([1, 1])
  expect(await take(everyMs / 2)).toBe(Math.trunc(at))
  expect(turns).toBe(1)
  await take(everyMs + 1)
  expect(turns).toBe(2)
})

test('every fault that is found has a series from the beginning', async () => {
  const text = await createIntakeMetrics().metrics.read()
  for (const kind of ['lost', 'no_receipt', 'ended_twice', 'ended_after_lost'])
    expect(text).toMatch(new RegExp(`^tripline_receipt_faults_total\\{.*kind="${kind}".*\\} 0$`, 'm'))
})
