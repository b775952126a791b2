import { type RefusalCode, refusals } from '@tripline/proto/error-code'
import type { DiagnosticView, WebhookRefusal } from '@tripline/proto/http/webhook'
import type { AlertId } from '@tripline/proto/id'
import type { Excess, QuotaName, Quotas } from './quota.ts'

/** Why an alert is not executed, for the person who sent it. */
export interface Refusal {
  /** Decides the HTTP status. */
  reason: RefusalCode
  /** The first diagnostic's code where there are diagnostics, else the reason. */
  errorCode: string
  text: string
  diagnostics?: DiagnosticView[]
  retryAfterS?: number
  /** The limit that refuses, if such refusals are counted: one event a minute has their number. */
  limit?: string
}

/** The origin of a message: a session of the webhook's owner, an address that the webhook takes alerts from, or another. */
export type Origin = 'session' | 'own' | 'foreign'

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

/** More alerts come than are executed in time. */
export function overloaded(waitMs: number): Refusal {
  const retryAfterS = wholeSeconds(waitMs)
  const text = `More alerts come now than can be executed in time. ${nothingDone} ${tryAgain(retryAfterS, false)}`
  return { ...plain('unavailable', text), retryAfterS, limit: 'what can be executed in time' }
}

/** A limit of messages in a minute. */
export interface MinuteLimit {
  most: number
  origin: Origin
}

/** The limit of messages in a minute is reached: the webhook's, or that of its owner's session. */
export function tooManyAlerts({ most, origin }: MinuteLimit, waitMs: number, isExit = false): Refusal {
  const retryAfterS = wholeSeconds(waitMs)
  const { noun, where, owner } = originWords(origin)
  const text = `More than ${most} ${noun} in a minute ${where}. ${nothingDone} ${tryAgain(retryAfterS, isExit)}`
  return { ...plain('rate_limited', text), retryAfterS, limit: `${owner} limit of ${most} a minute` }
}

/** Too many messages were refused within a minute: for a while only short ones that close or cancel are taken. */
export function tooManyRefused({ most, origin }: MinuteLimit, waitMs: number): Refusal {
  const retryAfterS = wholeSeconds(waitMs)
  const { noun, where, owner } = originWords(origin)
  const text = `More than ${most} ${noun} ${where} were refused in a minute. ${nothingDone} Try again in ${retryAfterS} s. A short alert that only closes or cancels is still taken.`
  return {
    ...plain('rate_limited', text),
    retryAfterS,
    limit: `${owner} limit of ${most} refused ones a minute`,
  }
}

function originWords(origin: Origin): { noun: string; where: string; owner: string } {
  if (origin === 'session')
    return { noun: 'messages', where: 'from your own session', owner: "your session's" }
  return { noun: 'alerts', where: 'at this webhook', owner: "the webhook's" }
}

/** The user's ids of today are as many as one account may have known, and this one is new. */
export function tooManyIds(most: number, waitMs: number, isExit: boolean): Refusal {
  const retryAfterS = wholeSeconds(waitMs)
  const text = `More than ${most} alerts with an id of their own in a day. ${nothingDone} Send it without an id, or try again in ${retryAfterS} s.${exitsPass(isExit)}`
  return { ...plain('rate_limited', text), retryAfterS, limit: `the limit of ${most} ids a day` }
}

const quotaWords: Record<QuotaName, (quota: number) => { over: string; limit: string }> = {
  bytesPerMinute: (quota) => ({
    over: `More than ${quota} bytes of alerts in a minute.`,
    limit: `the limit of ${quota} bytes of alerts a minute`,
  }),
  commandsPerMinute: (quota) => ({
    over: `More than ${quota} commands in a minute.`,
    limit: `the limit of ${quota} commands a minute`,
  }),
  storedBytesPerDay: (quota) => ({
    over: `Alerts and their events have taken ${quota} bytes today, which is all that one account may have stored in a day.`,
    limit: `the limit of ${quota} bytes stored a day`,
  }),
  bytesWaiting: (quota) => ({
    over: `The alerts that wait to be executed would have more than ${quota} bytes.`,
    limit: `the limit of ${quota} bytes that wait to be executed`,
  }),
  commandsWaiting: (quota) => ({
    over: `More than ${quota} commands would wait to be executed.`,
    limit: `the limit of ${quota} commands that wait to be executed`,
  }),
  alertsWaiting: (quota) => ({
    over: `${quota} alerts wait to be executed.`,
    limit: `the limit of ${quota} alerts that wait to be executed`,
  }),
}

const littleRoom = {
  over: "Little room is left for all accounts' alerts, and more of this account's would take more than its part.",
  limit: "the limit of one account's part while little room is left for all alerts",
}

function wordsOf(quota: QuotaName, most: number): { over: string; limit: string } {
  return quotaWords[quota](most - (most % 1))
}

/** The alert exceeds what one account may have stored. */
export function overQuota({ quota, waitMs }: Excess, quotas: Quotas, isExit: boolean): Refusal {
  const { over, limit } = quota === 'roomLeft' ? littleRoom : wordsOf(quota, quotas[quota])
  const retryAfterS = wholeSeconds(waitMs)
  const text = `${over} ${nothingDone} ${tryAgain(retryAfterS, isExit)}`
  return { ...plain('rate_limited', text), retryAfterS, limit }
}

/** Refused alerts of which only the number is recorded: their events have taken all they may today. */
export function unrecordedRefusal(origin: Origin, quota: number): Refusal {
  const because = {
    session: 'what is wrong with them',
    own: 'what is wrong with them',
    foreign: "the setting that takes alerts from TradingView's addresses only",
  }[origin]
  const limit = `${because}, beyond the ${quota} bytes a day for which each is reported`
  return { ...plain('rate_limited', `Refused by ${limit}. ${nothingDone}`), limit }
}

/** The text about alerts that a limit refused. */
export function countedText(count: number, limit: string): string {
  return `${count} alert${count === 1 ? '' : 's'} refused by ${limit}. ${nothingDone}`
}

/** The address has too many requests open. */
export function tooManyOpen(most: string, retryAfterS = 1): Refusal {
  return {
    ...plain('rate_limited', `${most}. ${nothingDone} Try again in ${retryAfterS} s.`),
    retryAfterS,
  }
}

/** The address has tried too many unknown tokens. */
export function tooManyUnknown(waitMs: number): Refusal {
  const retryAfterS = wholeSeconds(waitMs)
  const text = `Too many unknown webhook URLs from this address. Try again in ${retryAfterS} s.`
  return { ...plain('rate_limited', text), retryAfterS }
}

/**
 * A fault in the message, as the diagnostics say: it cannot be understood, or, if all errors are of the E4 or E5 kind,
 * a bot, market or setting refuses it, or a command of it is known to be refused.
 */
export function diagnosed(diagnostics: DiagnosticView[]): Refusal {
  const errors = diagnostics.filter(({ code }) => code.startsWith('E'))
  const reason = errors.every(({ code }) => /^E[45]/.test(code)) ? 'unsupported' : 'unreadable_message'
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

/** Returns the answer of a refused alert; the id is there for every alert on a valid token. */
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

function tryAgain(afterS: number, isExit: boolean): string {
  return `Try again in ${afterS} s.${exitsPass(isExit)}`
}

function exitsPass(isExit: boolean): string {
  return isExit ? '' : ' An alert that only closes or cancels is still taken.'
}

function plain(reason: RefusalCode, text: string): Refusal {
  return { reason, errorCode: reason, text }
}

// Rounded up: a client that comes back a moment too early would be refused again.
function wholeSeconds(ms: number): number {
  return (ms - (ms % 1000)) / 1000 + (ms % 1000 > 0 ? 1 : 0)
}
