import { WebhookAnswer } from '@tripline/proto/http/webhook'
import { type JournalEntry, paperControl } from '@tripline/testkit/paper-control'
import type { DemoAccount } from '@tripline/testkit/people/demo-account'

/** An alert and what the webhook answered to it. */
export interface Sent {
  message: string
  /** On the wall clock, in ms. */
  sentAt: number
  roundTripMs: number
  status: number
  answer: WebhookAnswer
}

/** Sends the message to the webhook and waits for its answer; fails when it is not taken. */
export async function sendAlert(webUrl: string, { webhookUrl }: DemoAccount, message: string): Promise<Sent> {
  // The public address may lead elsewhere; its path is the same here.
  const url = new URL(new URL(webhookUrl).pathname, webUrl)
  const sentAt = performance.timeOrigin + performance.now()
  const response = await fetch(url, { method: 'POST', body: message })
  const text = await response.text()
  const roundTripMs = performance.timeOrigin + performance.now() - sentAt
  if (!response.ok) throw new Error(`The webhook answered ${response.status}: ${text}`)
  return {
    message,
    sentAt,
    roundTripMs,
    status: response.status,
    answer: WebhookAnswer.parse(JSON.parse(text)),
  }
}

/** The orders of the alert as the paper exchange received them. */
export async function ordersOf(paperUrl: string, alertId: string): Promise<JournalEntry[]> {
  const journal = await paperControl(paperUrl).journal()
  // Client order ids begin with a letter and the alert's id.
  return journal.filter(({ op, clientOrderId }) => op === 'place' && clientOrderId?.startsWith(`t${alertId}`))
}
