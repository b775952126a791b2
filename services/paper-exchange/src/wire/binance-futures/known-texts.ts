import type { Answer } from '../message.ts'
import { errorAnswer } from './errors.ts'

const UNKNOWN = 'An unknown error occurred while processing the request.'

/** What the venue says with a code when the cause is its own. */
const TEXTS: Readonly<Record<number, string>> = {
  [-1000]: UNKNOWN,
  [-1001]: 'Internal error; unable to process your request. Please try again.',
  [-1003]: 'Too many requests; current limit is 2400 requests per minute.',
  [-1006]: 'An unexpected response was received from the message bus. Execution status unknown.',
  [-1007]: 'Timeout waiting for response from backend server. Send status unknown; execution status unknown.',
  [-1008]:
    'Request throttled by system-level protection. Reduce-only/close-position orders are exempt. Please try again.',
  [-1015]: 'Too many new orders.',
  [-1016]: 'This service is no longer available.',
  [-1021]: 'Timestamp for this request is outside of the recvWindow.',
  [-1022]: 'Signature for this request is not valid.',
  [-2010]: 'NEW_ORDER_REJECTED',
  [-2011]: 'Unknown order sent.',
  [-2013]: 'Order does not exist.',
  [-2014]: 'API-key format invalid.',
  [-2015]: 'Invalid API-key, IP, or permissions for action.',
  [-2018]: 'Balance is insufficient.',
  [-2019]: 'Margin is insufficient.',
  [-2022]: 'ReduceOnly Order is rejected.',
  [-4116]: 'ClientOrderId is duplicated.',
}

/** The venue's text for a code, or its text for what it cannot explain. */
export function textOf(code: number): string {
  return TEXTS[code] ?? UNKNOWN
}

const BANNED = 'Way too many requests; IP banned. Please use the websocket for live updates to avoid bans.'
const UNSURE = 'Unknown error, please check your request or try again later.'

const RETRY_AFTER_S: Readonly<Record<number, string>> = { 429: '1', 418: '120' }

/** The code the venue sends with a status when it is in trouble. */
export function codeBehind(status: number, done: boolean): number {
  if (status === 429 || status === 418) return -1003
  if (status === 408 || status === 504) return -1007
  return status === 503 && !done ? -1016 : -1000
}

/** What the venue answers with a status when it is in trouble; with 503 the text tells whether anything was done. */
export function statusAnswer(status: number, done: boolean): Answer {
  const answer = errorAnswer(codeBehind(status, done), troubleText(status, done), status)
  const retryAfter = RETRY_AFTER_S[status]
  return retryAfter === undefined ? answer : { ...answer, headers: { 'Retry-After': retryAfter } }
}

function troubleText(status: number, done: boolean): string {
  if (status === 418) return BANNED
  if (status === 503) return done ? UNSURE : 'Service Unavailable.'
  if (status === 429 || status === 408 || status === 504) return textOf(codeBehind(status, done))
  return status >= 500 ? UNSURE : UNKNOWN
}
