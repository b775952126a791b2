import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus } from '@tripline/kit/bus/bus'
import { sendRequest } from '@tripline/kit/bus/request'
import { lastSequence } from '@tripline/kit/bus/stream-end'
import { readStored } from '@tripline/kit/bus/stream-reader'
import { AlertMessage } from '@tripline/proto/alert'
import { listAlertEnds } from '@tripline/proto/history-request'
import { AlertId } from '@tripline/proto/id'
import type { Random } from '@tripline/testkit/random'
import { storedEvents } from '@tripline/testkit/stored-events'
import { waitUntil } from '@tripline/testkit/wait-until'
import { takeJournal } from '../alert-to-order/paper.ts'
import type { Vitals } from '../vitals/vitals.ts'
import { type Sent, violationsOf, type Window } from './check-window.ts'
import { type Answered, sendOnAndOn } from './senders.ts'
import type { Stage } from './stage.ts'
import { type MadeTrouble, makeTroubles } from './troubles.ts'

/** The findings of a window. */
export interface Outcome {
  alerts: number
  orders: number
  /** The number of failed executions, by error code. */
  failures: Map<string, number>
  troubles: readonly MadeTrouble[]
  /** The answers to alerts while there was trouble. */
  answered: readonly Answered[]
  violations: string[]
  vitals: Map<string, Vitals>
}

/** One for each, so that the troubles of a seed are the same whatever the alerts do. */
export interface Chances {
  troubles: Parameters<typeof makeTroubles>[1]
  alerts: Random
}

const troubleMs = 40_000
const alertIdLength = 26
/** The last id that an alert can have. */
const lastAlertId = AlertId.parse(`7${'Z'.repeat(alertIdLength - 1)}`)
/** An order of which nothing can be found out is given up after a minute. */
const drainMs = 150_000

/** Lets alerts flow through trouble for most of a minute, waits until all is done, and examines the results. */
export async function runWindow(stage: Stage, random: Chances, isSteady: boolean): Promise<Outcome> {
  const { product, ops } = stage
  const sequence = (await lastSequence(ops, 'EVENTS')) + 1
  const sent: Sent[] = []
  const answered: Answered[] = []
  const troubles = await flow(stage, random, { sent, answered, isSteady })
  const late = [...(await drain(ops)), ...(await notInHistory(ops, sent))]
  const accepted = (await takeJournal(product.urls.paper)).flatMap(({ op, outcome, clientOrderId }) =>
    op === 'place' && outcome === 'accepted' ? [clientOrderId ?? ''] : [],
  )
  const ends = await endsSince(ops, sequence)
  const failures = new Map<string, number>()
  for (const { status, code = status } of ends) {
    if (status !== 'success') failures.set(code, (failures.get(code) ?? 0) + 1)
  }
  return {
    alerts: sent.length,
    orders: accepted.length,
    failures,
    troubles,
    answered,
    violations: [...late, ...violationsOf({ sent, accepted, ends })],
    vitals: await stage.examine(),
  }
}

async function flow(
  stage: Stage,
  random: Chances,
  { isSteady, ...noted }: { sent: Sent[]; answered: Answered[]; isSteady: boolean },
): Promise<readonly MadeTrouble[]> {
  const calm = AbortSignal.timeout(troubleMs)
  const ending = new AbortController()
  const { product, traders } = stage
  const addresses = [product.urls.intake, product.urls.web] as const
  const sending = sendOnAndOn([...addresses], traders, random.alerts, { ...noted, stopping: ending.signal })
  const trouble = makeTroubles(stage, random.troubles, { isSteady, stopping: calm }).finally(() =>
    ending.abort(),
  )
  const [troubles] = await Promise.all([trouble, sending])
  return troubles
}

/** Waits until every alert has come to its end; what is left over is a violation. */
async function drain(ops: Bus): Promise<string[]> {
  const left = async (): Promise<number> => (await ops.manager.streams.info('ALERTS')).state.messages
  try {
    await waitUntil(async () => (await left()) === 0, { deadlineMs: drainMs, intervalMs: 100 })
    return []
  } catch {
    return await leftOver(ops)
  } finally {
    // Work may trail behind an alert's end, such as its listeners' answers and closing connections.
    await sleep(1000)
  }
}

/** Waits until history has the end of every execution that was accepted; what it lacks is a violation. */
async function notInHistory(ops: Bus, sent: readonly Sent[]): Promise<string[]> {
  const wanted = new Set(
    sent.flatMap(({ isAccepted, wanted }) =>
      isAccepted ? wanted.map(({ executionId }) => executionId) : [],
    ),
  )
  const blocksOf = Map.groupBy(wanted, (executionId) => AlertId.parse(executionId.slice(0, alertIdLength)))
  let lacking: string[] = []
  const isWhole = async (): Promise<boolean> => {
    const ended = await endedInHistory(ops, [...blocksOf.keys()])
    lacking = [...blocksOf].flatMap(([alertId, { length }]) => {
      const count = ended.get(alertId) ?? 0
      return count === length ? [] : [`history has ${count} of ${length} ends of alert ${alertId}`]
    })
    return lacking.length === 0
  }
  try {
    await waitUntil(isWhole, { deadlineMs: drainMs, intervalMs: 500, awaited: 'the ends in history' })
    return []
  } catch (error) {
    const { cause = error } = error as Error
    return [`${cause}`, ...lacking]
  }
}

/** Returns the number of ended executions of each alert that history has, between the first and the last of these. */
async function endedInHistory(ops: Bus, alertIds: readonly AlertId[]): Promise<Map<AlertId, number>> {
  const ended = new Map<AlertId, number>()
  let [from] = alertIds.toSorted()
  while (from !== undefined) {
    const { alerts, hasMore } = await sendRequest(ops, listAlertEnds, { from, before: lastAlertId })
    for (const alert of alerts) ended.set(alert.alertId, alert.ended)
    from = hasMore ? alerts.at(-1)?.alertId : undefined
  }
  return ended
}

async function leftOver(ops: Bus): Promise<string[]> {
  const start = { from: 'sequence', sequence: 1 } as const
  const messages = await readStored(ops, { stream: 'ALERTS', filter: 'alert.>', start })
  return messages.map(
    ({ text }) => `alert ${AlertMessage.parse(JSON.parse(text)).alertId} is still in its stream`,
  )
}

async function endsSince(ops: Bus, sequence: number): Promise<Window['ends']> {
  const events = await storedEvents(ops, { from: sequence })
  const codes = new Map<string, string>()
  for (const event of events.toReversed()) {
    const code = event.kind === 'command.finished' ? event.outcome.errorCode : undefined
    if (event.kind === 'command.finished' && code) codes.set(event.executionId, code)
  }
  return events.flatMap((event) =>
    event.kind === 'execution.finished'
      ? [{ executionId: event.executionId, status: event.status, code: codes.get(event.executionId) }]
      : [],
  )
}
