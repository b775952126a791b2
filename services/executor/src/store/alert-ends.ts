import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus } from '@tripline/kit/bus/bus'
import { sendRequest } from '@tripline/kit/bus/request'
import { steadyNow } from '@tripline/kit/time/clock'
import type { AlertMessage } from '@tripline/proto/alert'
import { type AlertEnds, mostAlertEnds, readAlertEnds } from '@tripline/proto/history-request'
import type { AlertId } from '@tripline/proto/id'

/** Questions of a takeover that come together are asked together. */
const gatherMs = 10
const answerMs = 1000
/** After a question without an answer the next ones are not asked for this long: each would wait in vain. */
const silentMs = 5000
const askAgainMs = 250
/** Alerts that came back with a roll-back wait so long for history's answer; then they are looked up. */
const patientMs = 10_000

type Asked = Pick<AlertMessage, 'userId' | 'alertId'>

/** History's knowledge of alerts: it has events that the stream may have lost. */
export interface AlertEndsReader {
  /**
   * Reads the ends of an alert; undefined where history knows nothing of it, or does not answer. A patient question is asked
   * until history has taken all that was stored, within some time.
   */
  read: (alert: Asked, isPatient: boolean) => Promise<AlertEnds | undefined>
}

interface Answer {
  ends: AlertEnds | undefined
  /** History has taken every event that was stored before. */
  isWhole: boolean
}

/** Asks history over the bus. */
export function createAlertEndsReader(bus: Bus): AlertEndsReader {
  let gathered: { asked: Map<AlertId, Asked>; answers: Promise<(alertId: AlertId) => Answer> } | undefined
  let silentUntil = 0
  /** Since when history has not answered, or has not taken all. */
  let waitingSince: number | undefined
  const send = async (asked: readonly Asked[]): Promise<(alertId: AlertId) => Answer> => {
    const found = new Map<AlertId, AlertEnds>()
    let isWhole = true
    for (let from = 0; from < asked.length; from += mostAlertEnds) {
      const alerts = asked
        .slice(from, from + mostAlertEnds)
        .map(({ userId, alertId }) => ({ userId, alertId }))
      const answer = await sendRequest(bus, readAlertEnds, { alerts }, { timeoutMs: answerMs })
      for (const ends of answer.alerts) found.set(ends.alertId, ends)
      isWhole &&= answer.pending === 0
    }
    return (alertId) => ({ ends: found.get(alertId), isWhole })
  }
  const ask = async (alert: Asked): Promise<Answer> => {
    if (gathered === undefined) {
      const asked = new Map<AlertId, Asked>()
      const answers = sleep(gatherMs).then(async () => {
        gathered = undefined
        return await send([...asked.values()])
      })
      gathered = { asked, answers }
    }
    gathered.asked.set(alert.alertId, alert)
    return (await gathered.answers)(alert.alertId)
  }
  const askOnce = async (alert: Asked, isPatient: boolean): Promise<Answer | undefined> => {
    try {
      const answer = await ask(alert)
      if (answer.isWhole) waitingSince = undefined
      else if (isPatient) waitingSince ??= steadyNow()
      return answer
    } catch (error) {
      const at = steadyNow()
      if (at >= silentUntil) bus.log.warn({ err: error }, 'history does not tell the ends of alerts')
      silentUntil = at + silentMs
      if (isPatient) waitingSince ??= at
      return undefined
    }
  }
  /** All who wait do so together: alerts behind each other would each begin anew. */
  const isPatienceOver = (): boolean => waitingSince !== undefined && steadyNow() - waitingSince >= patientMs
  return {
    read: async (alert, isPatient) => {
      for (;;) {
        const isWaiting = isPatient && !isPatienceOver() && !bus.connection.isClosed()
        if (!isWaiting && steadyNow() < silentUntil) return undefined
        const answer = await askOnce(alert, isPatient)
        if (!isWaiting || answer?.isWhole === true) return answer?.ends
        await sleep(askAgainMs)
      }
    },
  }
}
