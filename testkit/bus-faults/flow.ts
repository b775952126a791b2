import { setTimeout as sleep } from 'node:timers/promises'
import { WebhookAnswer } from '@tripline/proto/http/webhook'
import type { Member } from '../people/crowd.ts'
import type { Attempt, Message } from './judge.ts'

/** A webhook takes 60 alerts a minute. */
const paceMs = 1050
/** As a charting platform sends again what was not taken. */
const resendMs = 5000
const attempts = 4
const answerMs = 3500
/** The least size of an order, in thousandths of a coin. */
const least = 2
/** Quantities tell a sender's messages apart; there are no more of them in a round. */
const quantities = 120

const Answer = WebhookAnswer.pick({ alert_id: true, resent_as: true, status: true }).partial()

/** People who send alerts on and on. */
export interface Flow {
  messages: readonly Message[]
  /** Settles once every answer is there. */
  stop: () => Promise<void>
}

/** Lets each of these send a market order a second, each of its own size, and send again as platforms do. */
export function startFlow(members: readonly Member[]): Flow {
  const messages: Message[] = []
  const stopping = new AbortController()
  const all = members.map(async (member, place) => {
    const pause = async (ms: number): Promise<void> =>
      await sleep(ms, undefined, { signal: stopping.signal }).catch(() => undefined)
    const sending: Promise<void>[] = []
    await pause((paceMs * place) / members.length)
    for (let count = 0; !stopping.signal.aborted && count < quantities; count++) {
      const message = orderOf(member, count)
      messages.push(message)
      sending.push(send(message))
      await pause(paceMs)
    }
    await Promise.all(sending)
  })
  return {
    messages,
    stop: async () => {
      stopping.abort()
      await Promise.all(all)
    },
  }
}

/** Longer than what comes before a blow. */
const waitS = 5

/** Closes whatever position there is. */
export const exitText = 'market(position=0)'

let sent = 0

/**
 * A market order of its sender's next size, with an id: its resends overlap others of its lane, behind which a body alone
 * would be a new alert.
 */
export function orderOf(member: Member, count: number): Message {
  const side = count % 2 === 0 ? 'buy' : 'sell'
  const quantity = ((count + least) / 1000).toFixed(3)
  const text = `@id ${sent++}\n${member.labels[0]}(BTCUSDT) { market(${side}, ${quantity}) }`
  return { member, text, order: { side, quantity }, sentAt: performance.now(), attempts: [] }
}

/** An exit: it closes whatever position there is. */
export function exitOf(member: Member): Message {
  const text = `# ${sent++}\n${member.labels[0]}(BTCUSDT) { ${exitText} }`
  return { member, text, order: undefined, sentAt: performance.now(), attempts: [] }
}

/** A wait: while it lies in its stream, what ended behind it is marked as deleted and stays in the same block. */
export function waitOf(member: Member): Message {
  const text = `# ${sent++}\n${member.labels[0]}(BTCUSDT) { wait(${waitS}) }`
  return { member, text, order: undefined, sentAt: performance.now(), attempts: [] }
}

/** Sends a message, again where it got no answer or a 503. */
export async function send(message: Message): Promise<void> {
  for (let count = 0; count < attempts; count++) {
    if (count > 0) await sleep(resendMs)
    const attempt = await post(message.member.webhookUrl, message.text)
    message.attempts.push(attempt)
    if (attempt.status !== 0 && attempt.status !== 503) return
  }
}

async function post(url: string, body: string): Promise<Attempt> {
  try {
    const response = await fetch(url, { method: 'POST', body, signal: AbortSignal.timeout(answerMs) })
    const { alert_id, resent_as, status } = Answer.parse(await response.json())
    const isDone = response.status === 200 && status !== 'accepted'
    return {
      status: response.status,
      alertId: resent_as ?? alert_id,
      doneAt: isDone ? performance.now() : undefined,
    }
  } catch {
    return { status: 0, alertId: undefined, doneAt: undefined }
  }
}
