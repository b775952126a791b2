import type { OverallStatus } from '@tripline/proto/alert'
import { z } from 'zod'
import type { Sent } from './send-message.ts'

const Success = z.object({ status: z.literal('success') })
const Accepted = z.object({ status: z.literal('accepted'), alert_id: z.string() })

/** One message that was sent, with what came back. */
export interface ResponseRecord {
  id: string
  timestamp: string
  durationMs: number
  request: string
  response: unknown
  httpStatus: number
  success: boolean
  /** How the executions of an accepted alert ended since, as far as the live log told. */
  settled: Record<string, OverallStatus>
}

/** The record of a message that was sent; no answer at all counts as status 500. */
export function recordOf(
  sent: Sent,
  about: { id: string; timestamp: string; request: string },
): ResponseRecord {
  const { durationMs } = sent
  const shared = { ...about, durationMs, settled: {} }
  if (sent.outcome === 'unanswered') {
    return { ...shared, response: { error: sent.error }, httpStatus: 500, success: false }
  }
  return {
    ...shared,
    response: sent.body,
    httpStatus: sent.httpStatus,
    success: Success.safeParse(sent.body).success,
  }
}

/** Whether this record's answer was only `accepted`, and this execution is one of its alert's. */
export function awaits({ response }: ResponseRecord, executionId: string): boolean {
  const answer = Accepted.safeParse(response)
  return answer.success && executionId.startsWith(`${answer.data.alert_id}-`)
}
