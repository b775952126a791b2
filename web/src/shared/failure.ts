import type { SerializedError } from '@reduxjs/toolkit'
import type { FetchBaseQueryError } from '@reduxjs/toolkit/query'
import { texts } from './texts.ts'

/** The error of a call that does not succeed. */
export type ApiFailure = FetchBaseQueryError | SerializedError

/** Returns the text about a failed call: the server's own detail, else the fallback. */
export function failureText(failure: unknown, fallback: string = texts.general.fallback): string {
  const detail = failureDetail(failure)
  if (detail === undefined || detail === null || detail === '') return fallback
  return typeof detail === 'string' ? detail : JSON.stringify(detail)
}

/** The same, with a list of messages joined by commas. */
export function failureList(failure: unknown, fallback?: string): string {
  const messages = messagesOf(failureDetail(failure))
  return messages.length === 0 ? failureText(failure, fallback) : messages.join(', ')
}

/** The status that a call was refused with; undefined where no server answered. */
export function failureStatus(failure: unknown): number | undefined {
  const status = fieldOf(failure, 'status')
  return typeof status === 'number' ? status : undefined
}

/** Whether a call failed since no server answered it. */
export function isUnanswered(failure: unknown): boolean {
  return fieldOf(failure, 'status') === 'FETCH_ERROR'
}

/** Returns an answer that is no success, in the form of a failed call. */
export async function failureOf(answer: Response): Promise<{ status: number; data: unknown }> {
  return { status: answer.status, data: await answer.json().catch(() => undefined) }
}

/** The code of a refusal, or undefined where the server gave none. */
export function failureCode(failure: unknown): string | undefined {
  const code = fieldOf(fieldOf(failure, 'data'), 'code')
  return typeof code === 'string' ? code : undefined
}

/** Returns the server's detail of a refusal, in any form; undefined if no server answered. */
export function failureDetail(failure: unknown): unknown {
  return fieldOf(fieldOf(failure, 'data'), 'detail')
}

function messagesOf(detail: unknown): string[] {
  if (!Array.isArray(detail)) return []
  return detail.map((fault) => fieldOf(fault, 'message')).filter((message) => typeof message === 'string')
}

// Read by hand: these few lines are part of every screen, also of those that need no schema.
function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value
    ? (value as Record<string, unknown>)[name]
    : undefined
}
