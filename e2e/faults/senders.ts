import { setTimeout as sleep } from 'node:timers/promises'
import { WebhookAnswer } from '@tripline/proto/http/webhook'
import { waitFor } from '@tripline/testkit/wait-for'
import type { LaneOrder } from './what-came.ts'

/** As often as a webhook takes an alert. */
const paceMs = 1050

/** The answer of a webhook, or the reason why there was none. */
interface Answer {
  lane: number
  status: number | string
  alertId: string | undefined
}

/** People who send at the same time, each to a webhook of his own and no faster than it takes. */
export interface Senders {
  readonly answers: readonly Answer[]
  start: () => void
  /** Settles once so many more are answered. */
  more: (alerts: number) => Promise<void>
  /** Settles once everything that was sent is answered. */
  stop: () => Promise<void>
  /** The orders that what was answered asks for. */
  wantedOrders: () => LaneOrder[]
  /** An order in the lane of whose alert it is of. */
  inItsLane: (placed: { order: string }) => LaneOrder
}

/** Opens senders for these webhooks; the label of each one's bot is given with it. */
export function openSenders(webhooks: readonly { url: string; label: string }[]): Senders {
  const answers: Answer[] = []
  const stopping = new AbortController()
  let sending: Promise<void>[] = []
  const sendOnAndOn = async (url: string, label: string, lane: number): Promise<void> => {
    await sleep((paceMs * lane) / webhooks.length)
    for (let count = 0; !stopping.signal.aborted; count++) {
      const pause = sleep(paceMs)
      const side = count % 2 === 0 ? 'buy' : 'sell'
      answers.push({ lane, ...(await send(url, `${label}(BTCUSDT) { market(${side}, 0.01) }`)) })
      await pause
    }
  }
  return {
    answers,
    start: () => {
      sending = webhooks.map(async ({ url, label }, lane) => await sendOnAndOn(url, label, lane))
    },
    more: async (alerts) => {
      const until = answers.length + alerts
      await waitFor(() => answers.length >= until, { deadlineMs: 60_000 })
    },
    stop: async () => {
      stopping.abort()
      await Promise.all(sending)
    },
    wantedOrders: () => answers.map(({ lane, alertId }) => ({ lane: `${lane}`, order: `${alertId}00000` })),
    inItsLane: ({ order }) => {
      const sent = answers.find(({ alertId }) => order.startsWith(`${alertId}`))
      return { lane: `${sent?.lane}`, order }
    },
  }
}

async function send(url: string, message: string): Promise<Omit<Answer, 'lane'>> {
  try {
    const response = await fetch(`${url}?wait=60000`, { method: 'POST', body: message })
    const text = await response.text()
    const { alert_id: alertId, status } = Sent.parse(JSON.parse(text))
    const isTaken = response.ok && (status === 'success' || status === 'accepted')
    return { status: isTaken ? response.status : text, alertId }
  } catch (error) {
    return { status: `no answer: ${error}, ${error instanceof Error ? error.cause : ''}`, alertId: undefined }
  }
}

const Sent = WebhookAnswer.pick({ alert_id: true, status: true }).partial({ alert_id: true })
