import type { Log } from '@tripline/kit/telemetry/log'
import { now } from '@tripline/kit/time/clock'
import { type AlertMessage, StoredAlert } from '@tripline/proto/alert'
import type { AlertId, BotId, UserId } from '@tripline/proto/id'
import { readMessage } from '@tripline/proto/language/read-message'
import type { BotConfig } from '@tripline/proto/user-config'
import { absenceRules } from '../domain/order/absence.ts'
import { createLanes } from '../lanes/lanes.ts'
import { createExecutorMetrics } from '../metrics.ts'
import { createDoubts } from '../monitoring/doubts.ts'
import type { Venue } from '../venue/venue.ts'
import type { AlertRun } from './alert-run.ts'
import { runAlert } from './run-alert.ts'
import { createRunMeters } from './run-meter.ts'

// The optimizing compiler has seen the path often enough by then; a few tenths of a second in all.
const rounds = 300

const nobody = '00000000-0000-4000-8000-000000000000' as UserId
const alertId = '00000000000000000000000000' as AlertId

const bot: BotConfig = {
  id: nobody as string as BotId,
  label: 'Rehearsal',
  exchange: 'paper',
  marketType: 'futures',
  isTestnet: true,
  tradingState: 'active',
  maxEntryAgeS: 60,
  exitRetryS: 600,
}

const nothing = async (): Promise<undefined> => undefined
const none = async (): Promise<[]> => []
const nothingDone = (): void => undefined

/** Nothing of a rehearsal is stored. */
const unstored: Pick<AlertRun, 'records' | 'progress' | 'entries' | 'waits' | 'watching' | 'tenure'> = {
  records: { recall: nothing, write: nothing, forget: nothing },
  progress: {
    read: async () => ({}),
    keep: async (_userId, _alertId, _block, progress) => progress,
    forget: nothing,
  },
  entries: { read: async () => ({}), readNow: () => ({}), note: nothingDone },
  waits: { hold: nothingDone, release: nothingDone },
  watching: {
    at: () => ({
      end: async () => ({ count: 0, held: [] }),
      ...{ exits: none, ownExits: none, takeBack: none, beginSale: none, giveBack: none },
      ...{ begin: nothingDone, leaveBare: nothingDone },
    }),
  },
  tenure: () => undefined,
}

/**
 * Runs the whole way of an alert in this process, from its text to the signed order, so often that the first real one
 * finds it compiled. Nothing of it is stored, emitted or sent.
 */
export async function rehearse(venue: Venue, log: Log): Promise<void> {
  const text = JSON.stringify(sampleAlert())
  const lanes = createLanes()
  const meters = createRunMeters(createExecutorMetrics(), createDoubts())
  const client = {
    venue,
    accountKey: 'rehearsal',
    market: 'paper_futures' as const,
    absence: absenceRules.paper_futures,
  }
  for (let round = 0; round < rounds; round++) {
    const result = await runAlert({
      onLeftOut: () => undefined,
      breakOrder: async () => undefined,
      forgetOvertaken: () => undefined,
      alert: { ...StoredAlert.parse(JSON.parse(text)), receivedAt: now() },
      takenAt: now(),
      durableAt: now(),
      priorAttempt: undefined,
      targets: [{ bot, client }],
      lanes,
      events: { emit: (event) => void JSON.stringify(event), stored: async () => undefined },
      ...unstored,
      limitsOf: () => ({ tradingState: 'active', maxEntryAgeMs: 60_000, exitRetryMs: 600_000 }),
      stopping: new AbortController().signal,
      meters,
      log,
    })
    JSON.stringify(result)
  }
}

function sampleAlert(): AlertMessage {
  const message = 'Rehearsal(BTCUSDT) { market(buy, 0.01) }'
  const { blocks } = readMessage(message, [{ label: bot.label, market: 'futures' }])
  const times = { receivedAt: 0, readAt: 0 }
  const withBots = blocks.map((block) => ({ ...block, botId: bot.id }))
  return { alertId, userId: nobody, message, blocks: withBots, isFirst: true, ...times }
}
