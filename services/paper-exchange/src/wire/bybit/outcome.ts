import { type Answer, json } from '../message.ts'
import type { Allowance } from './allowance.ts'

/** The outcome of a request, before a transport gives it its form. */
export type Outcome = Readonly<{
  code: number
  message: string
  result: unknown
  extra: unknown
  time: number
  status: number
  allowance?: Allowance
}>

/** An outcome without a result. */
export function failed(code: number, message: string, time: number, status = 200): Outcome {
  return { code, message, result: {}, extra: {}, time, status }
}

/** Returns the headers with what is left of the limit. */
export function limitHeaders(allowance: Allowance | undefined): Record<string, string> {
  if (!allowance) return {}
  return {
    'X-Bapi-Limit': String(allowance.limit),
    'X-Bapi-Limit-Status': String(allowance.left),
    'X-Bapi-Limit-Reset-Timestamp': String(allowance.resetAt),
  }
}

/** The outcome as the venue answers it over HTTP: errors, too, come with 200 unless the network before it refuses. */
export function httpAnswer({ code, message, result, extra, time, status, allowance }: Outcome): Answer {
  const body = { retCode: code, retMsg: message, result, retExtInfo: extra, time }
  const headers = { ...limitHeaders(allowance), Timenow: String(time) }
  return json(status, body, headers)
}
