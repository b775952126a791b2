import { type RefusalCode, refusals } from '@tripline/proto/error-code'
import type { DiagnosticView, WebhookRefusal } from '@tripline/proto/http/webhook'
import type { AlertId } from '@tripline/proto/id'

/** Why an alert is not executed, for the person who sent it. */
export interface Refusal {
  /** Decides the HTTP status. */
  reason: RefusalCode
  /** The first diagnostic's code where there are diagnostics, else the reason. */
  errorCode: string
  text: string
  diagnostics?: DiagnosticView[]
  retryAfterS?: number
}

const nothingDone = 'Nothing was executed.'

/** No webhook has this token, now or ever: both look the same. */
export const unknownWebhook = plain(
  'unknown_webhook',
  'This webhook URL is not known. Copy the present one from the webhook page.',
)

export const webhookInactive = plain('webhook_inactive', `This webhook is switched off. ${nothingDone}`)

/** The webhook takes alerts from TradingView only, and this one came from somewhere else. */
export function foreignAddress(address: string): Refusal {
  const message = `E404 this webhook takes alerts from TradingView's addresses only, and this one came from ${address}. ${nothingDone}`
  return diagnosed([{ code: 'E404', message }])
}

export const messageTooLarge = plain('message_too_large', `The message is larger than 64 KiB. ${nothingDone}`)

export const malformedRequest = plain('unreadable_message', `The request is malformed. ${nothingDone}`)

/** A fault of ours before anything was stored. */
export const unavailable = plain(
  'unavailable',
  'Something went wrong here. Look at the history before sending the alert by hand.',
)

/** The webhook's limit of alerts in a minute is reached. */
export function tooManyAlerts(limit: number, waitMs: number): Refusal {
  const retryAfterS = wholeSeconds(waitMs)
  const text = `More than ${limit} alerts in a minute. ${nothingDone} Try again in ${retryAfterS} s.`
  return { ...plain('rate_limited', text), retryAfterS }
}

/** The address has tried too many unknown tokens. */
export function tooManyUnknown(waitMs: number): Refusal {
  const retryAfterS = wholeSeconds(waitMs)
  const text = `Too many unknown webhook URLs from this address. Try again in ${retryAfterS} s.`
  return { ...plain('rate_limited', text), retryAfterS }
}

/**
 * Something in the message is wrong, as the diagnostics tell: it cannot be understood, or, where all errors are of the
 * E4 kind, a bot, market or setting refuses it.
 */
export function diagnosed(diagnostics: DiagnosticView[]): Refusal {
  const errors = diagnostics.filter(({ code }) => code.startsWith('E'))
  const reason = errors.every(({ code }) => code.startsWith('E4')) ? 'unsupported' : 'unreadable_message'
  const [first] = errors
  if (first === undefined) return { ...plain(reason, nothingDone), diagnostics }
  return { reason, errorCode: first.code, text: first.message, diagnostics }
}

/** The stream did not confirm the alert in time; it may lie there all the same. */
export function notConfirmed(alertId: AlertId): Refusal {
  return plain(
    'not_durable',
    `The alert could not be confirmed as stored. Look for ${alertId} in the history before sending it by hand.`,
  )
}

/** The stream took no more alerts of this user. */
export function laneFull(alertId: AlertId): Refusal {
  return plain(
    'not_durable',
    `Too many alerts are waiting already, so this one was not stored. Look for ${alertId} in the history before sending it by hand.`,
  )
}

/** The HTTP status of a refusal. */
export function statusOf({ reason }: Refusal): number {
  return refusals[reason]
}

/** What a refused alert answers; the id is there for every alert on a valid token. */
export function refusalBody(refusal: Refusal, alertId?: AlertId): WebhookRefusal {
  const { errorCode, text, diagnostics, retryAfterS } = refusal
  return {
    status: 'failed',
    error: text,
    message: text,
    detail: text,
    error_code: errorCode,
    ...(alertId !== undefined && { alert_id: alertId }),
    ...(diagnostics !== undefined && { diagnostics }),
    ...(retryAfterS !== undefined && { retry_after: retryAfterS }),
  }
}

function plain(reason: RefusalCode, text: string): Refusal {
  return { reason, errorCode: reason, text }
}

// Rounded up: a client that comes back a moment too early would be refused again.
function wholeSeconds(ms: number): number {
  return (ms - (ms % 1000)) / 1000 + (ms % 1000 > 0 ? 1 : 0)
}
