import { describe, expect, test } from '@jest/globals'
import { now } from '@tripline/kit/time/clock'
import type { AlertId, BotId, ExecutionId, UserId } from '@tripline/proto/id'
import { testLog } from '@tripline/testkit/log'
import { waitFor } from '@tripline/testkit/wait-for'
import { btcusdt, commandsOf } from '../../test/btcusdt.ts'
import type { BotLimits } from '../domain/account/permit.ts'
import { startExecution } from '../domain/execution/execution.ts'
import { absenceRules } from '../domain/order/absence.ts'
import type { Identity } from '../domain/order/order-events.ts'
import { createExecutorMetrics } from '../metrics.ts'
import { createDoubts } from '../monitoring/doubts.ts'
import { drive, type Run } from './drive.ts'
import { createRunMeters } from './run-meter.ts'

const alertId = '01ARZ3NDEKTSV4RRFFQ69G5FAV' as AlertId

const identity: Identity = {
  userId: 'user' as UserId,
  alertId,
  executionId: 'execution' as ExecutionId,
  botId: 'bot' as BotId,
  label: 'MyBot',
  exchange: 'paper_futures',
  symbol: 'BTCUSDT',
}

/** A run at a venue that must not be asked. */
function runWith(limits: () => BotLimits): Run {
  const unasked = async (): Promise<never> => {
    throw new Error('the venue was asked')
  }
  return {
    identity,
    venue: {
      market: () => undefined,
      clockAheadMs: () => 0,
      symbols: () => [],
      place: unasked,
      lookUp: unasked,
      cancel: unasked,
      openOrders: unasked,
      statement: unasked,
      changeSettings: unasked,
      read: unasked,
    },
    waits: { hold: () => undefined, release: () => undefined },
    entries: { read: async () => ({}), note: () => undefined },
    tenure: () => undefined,
    records: { recall: unasked, write: unasked, forget: unasked },
    progress: { read: unasked, keep: unasked, forget: unasked },
    watches: {
      end: unasked,
      exits: async () => [],
      ownExits: unasked,
      takeBack: unasked,
      beginSale: unasked,
      giveBack: unasked,
      begin: () => undefined,
      leaveBare: () => undefined,
    },
    isCloseOnly: false,
    letExitsPass: () => undefined,
    breakOrder: async () => undefined,
    limits,
    emit: () => undefined,
    stored: async () => undefined,
    stopping: new AbortController().signal,
    log: testLog('drive'),
    note: createRunMeters(createExecutorMetrics(), createDoubts())(identity).note,
  }
}

const start = () =>
  startExecution(
    {
      alertId,
      block: 0,
      commands: commandsOf('market(buy, 0.01); market(sell, 0.01)'),
      market: btcusdt,
      absence: absenceRules.paper_futures,
      dueAt: 0,
      notAbsentBefore: undefined,
      isRestored: false,
    },
    [],
    0,
  )

test('an exit that cannot be done for long is reported once, and lets others pass', async () => {
  const alarms: string[] = []
  const stored = Promise.withResolvers<void>()
  let isStored = false
  let passes = 0
  let asked = 0
  const at = now()
  const unanswered = {
    since: at - 20_000,
    times: 9,
    isUrgent: true,
    failure: { code: 'E601', error: 'no way there' },
  }
  const begun = { ...start(), commands: commandsOf('market(position=0)') }
  const run = runWith(() => ({ tradingState: 'active', maxEntryAgeMs: 60_000, exitRetryMs: 600_000 }))
  const drivenTo = drive(
    { ...begun, current: { ...begun.current, unanswered } },
    {
      ...run,
      venue: {
        ...run.venue,
        read: async () => {
          asked++
          return asked === 1
            ? { outcome: 'unreachable', cause: 'still' }
            : { outcome: 'refused', code: 'E406', error: 'no' }
        },
      },
      emit: (event) => void (event.kind === 'command.alarm' && alarms.push(`${event.eventId} ${event.text}`)),
      breakOrder: async () => await stored.promise,
      letExitsPass: (kinds) => {
        if (kinds.length === 0) return
        expect(isStored).toBe(true)
        passes++
      },
    },
  )
  await waitFor(() => alarms.length > 0)
  expect([asked, passes]).toEqual([0, 0])
  isStored = true
  stored.resolve()
  expect((await drivenTo).outcomes).toMatchObject([{ status: 'failed', errorCode: 'E406' }])
  expect(new Set(alarms).size).toBeLessThanOrEqual(2)
  expect(alarms[0]).toMatch(/0\.alarm-in-vain not done yet, and tried again for up to 600 s: no way there/)
  expect(new Set(alarms.map((each) => each.split(' ')[0])).size).toBe(1)
  expect(passes).toBeGreaterThan(0)
}, 20_000)

describe('a fault of ours', () => {
  test('in deciding on the next step ends the command as failed, and the commands behind it as skipped', async () => {
    let asked = 0
    const ended = await drive(
      start(),
      runWith(() => {
        asked++
        if (asked === 1) throw new Error('a fault')
        return { tradingState: 'active', maxEntryAgeMs: Number.POSITIVE_INFINITY, exitRetryMs: 600_000 }
      }),
    )
    expect(ended.outcomes.map(({ status, errorCode }) => [status, errorCode])).toEqual([
      ['failed', 'E605'],
      ['skipped', null],
    ])
  })

  test('that does not end leaves the alert to a successor', async () => {
    const run = runWith(() => {
      throw new Error('a fault')
    })
    await expect(drive(start(), run)).rejects.toThrow('a fault')
  })
})

test('an order whose bot is halted while it waits for its turn is not sent', async () => {
  let tradingState: BotLimits['tradingState'] = 'active'
  const run = runWith(() => ({ tradingState, maxEntryAgeMs: Number.POSITIVE_INFINITY, exitRetryMs: 600_000 }))
  const place: Run['venue']['place'] = async (_order, _onSent, isPermitted = () => true) => {
    tradingState = 'halted'
    return isPermitted() ? { outcome: 'unknown', cause: 'it was sent' } : { outcome: 'withheld' }
  }
  const { outcomes } = await drive(start(), { ...run, venue: { ...run.venue, place } })
  expect(outcomes.map(({ status, errorCode }) => [status, errorCode])).toEqual([
    ['failed', 'E516'],
    ['skipped', null],
  ])
})
