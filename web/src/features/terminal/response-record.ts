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
  /** The alert that was only accepted, whose executions go on; undefined where the answer told how they ended. */
  acceptedAlert: string | undefined
  /** How the executions of an accepted alert ended since, as far as the live log told. */
  settled: Record<string, OverallStatus>
}

/** The record of a message that was sent; no answer at all counts as status 500. */
export function recordOf(
  sent: Sent,
  about: { id: string; timestamp: string; request: string },
): ResponseRecord {
  const { durationMs } = sent
  const shared = { ...about, durationMs, acceptedAlert: undefined, settled: {} }
  if (sent.outcome === 'unanswered') {
    return { ...shared, response: { error: sent.error }, httpStatus: 500, success: false }
  }
  return {
    ...shared,
    response: sent.body,
    acceptedAlert: Accepted.safeParse(sent.body).data?.alert_id,
    httpStatus: sent.httpStatus,
    success: Success.safeParse(sent.body).success,
  }
}
