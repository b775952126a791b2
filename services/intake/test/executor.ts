import { type Bus, publish } from '@tripline/kit/bus/bus'
import { readStream } from '@tripline/kit/bus/stream-reader'
import { now } from '@tripline/kit/time/clock'
import { AlertMessage, type AlertResult } from '@tripline/proto/alert'
import { executionIdOf } from '@tripline/proto/id'
import { resultSubject } from '@tripline/proto/subject'

/** An executor that trades nothing: it takes alerts from the stream and publishes the result it was given. */
export interface TestExecutor {
  taken: AlertMessage[]
  /** Publishes a result on its own account. */
  publishResult: (result: AlertResult) => void
  stop: () => void
}

/** Returns the result of an alert; undefined publishes none. */
export type Execute = (alert: AlertMessage) => AlertResult | undefined

/** Takes every alert of the stream, in order. */
export async function startExecutor(bus: Bus, execute: Execute = succeed): Promise<TestExecutor> {
  const taken: AlertMessage[] = []
  const publishOne = (result: AlertResult): void =>
    publish(bus, resultSubject(result.alertId), JSON.stringify(result))
  const reader = await readStream(bus, {
    stream: 'ALERTS',
    filter: 'alert.*.*',
    start: { from: 'new' },
    onMessage: ({ text }) => {
      const alert = AlertMessage.parse(JSON.parse(text))
      taken.push(alert)
      const result = execute(alert)
      if (result !== undefined) publishOne(result)
    },
  })
  return { taken, publishResult: publishOne, stop: reader.stop }
}

/** Every command succeeds. */
export function succeed({ alertId, blocks }: AlertMessage): AlertResult {
  const at = now()
  return {
    outcome: 'executed',
    alertId,
    status: 'success',
    executions: blocks.map(({ label, symbol, commands }, block) => ({
      executionId: executionIdOf(alertId, block),
      label,
      symbol,
      status: 'success',
      commands: commands.map(({ type }) => ({
        command: type,
        status: 'success',
        result: { code: 'N802', note: 'nothing to do' },
        errorCode: null,
        error: null,
        executionTimeMs: 0.5,
      })),
    })),
    moments: { takenAt: at, checkedAt: at, firstSentAt: at, firstAcknowledgedAt: at, finishedAt: at },
  }
}

/** The owner's checks refuse the first block. */
export function refuse({ alertId }: AlertMessage): AlertResult {
  const diagnostics = [{ code: 'E401', message: 'BTCUSD is not listed on this market', block: 0 }]
  return { outcome: 'refused', alertId, diagnostics, moments: { takenAt: now(), finishedAt: now() } }
}
