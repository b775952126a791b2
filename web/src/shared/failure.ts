import type { SerializedError } from '@reduxjs/toolkit'
import type { FetchBaseQueryError } from '@reduxjs/toolkit/query'
import { z } from 'zod'
import { texts } from './texts.ts'

/** What a call ends with when it does not succeed. */
export type ApiFailure = FetchBaseQueryError | SerializedError

const Refused = z.object({ data: z.object({ detail: z.unknown() }) })
const MessageList = z.array(z.object({ message: z.string() })).min(1)

/** What to tell a person about a failed call: the server's detail as it is, else the fallback. */
export function failureText(failure: unknown, fallback: string = texts.general.fallback): string {
  const detail = detailOf(failure)
  if (detail === undefined || detail === null || detail === '') return fallback
  return typeof detail === 'string' ? detail : JSON.stringify(detail)
}

/** The same, with a list of messages joined by commas. */
export function failureList(failure: unknown, fallback?: string): string {
  const messages = MessageList.safeParse(detailOf(failure))
  if (!messages.success) return failureText(failure, fallback)
  return messages.data.map(({ message }) => message).join(', ')
}

function detailOf(failure: unknown): unknown {
  const refused = Refused.safeParse(failure)
  return refused.success ? refused.data.data.detail : undefined
}
