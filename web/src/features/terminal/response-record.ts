import type { OverallStatus } from '@tripline/proto/alert'
import { isJson } from '@tripline/proto/language/formats/envelope'
import { readTriplineJson } from '@tripline/proto/language/formats/tripline-json'
import { noProblems } from '@tripline/proto/language/problem'
import { readText } from '@tripline/proto/language/read-message'
import { makeReadable } from '@tripline/proto/language/readable-text'
import { z } from 'zod'
import type { Sent } from './send-message.ts'

const Success = z.object({ status: z.literal('success') })
const Accepted = z.object({ status: z.literal('accepted'), alert_id: z.string() })

interface AcceptedAlert {
  id: string
  /** The number of its executions. */
  blocks: number
}

/** One message that was sent, with what came back. */
export interface ResponseRecord {
  id: string
  timestamp: string
  durationMs: number
  request: string
  response: unknown
  httpStatus: number
  /** False where it is not known whether the message arrived. */
  isAnswered: boolean
  success: boolean
  /** The alert that was only accepted, whose executions go on; undefined if the answer had their ends. */
  acceptedAlert: AcceptedAlert | undefined
  /** The ends of an accepted alert's executions, or of the alert itself, as far as the live events have them. */
  settled: Record<string, OverallStatus>
}

/** The record of a message that was sent; no answer at all counts as status 500. */
export function recordOf(
  sent: Sent,
  about: { id: string; timestamp: string; request: string },
): ResponseRecord {
  const { durationMs } = sent
  const isAnswered = sent.outcome === 'answered'
  const shared = { ...about, durationMs, isAnswered, acceptedAlert: undefined, settled: {} }
  if (sent.outcome === 'unanswered') {
    return { ...shared, response: { error: sent.error }, httpStatus: 500, success: false }
  }
  return {
    ...shared,
    response: sent.body,
    acceptedAlert: acceptedAlert(sent.body, about.request),
    httpStatus: sent.httpStatus,
    success: Success.safeParse(sent.body).success,
  }
}

function acceptedAlert(answer: unknown, message: string): AcceptedAlert | undefined {
  const accepted = Accepted.safeParse(answer).data
  return accepted && { id: accepted.alert_id, blocks: blockCount(message) }
}

/** Returns the number of blocks in a message that was accepted, for any bots. */
function blockCount(message: string): number {
  const read = isJson(message) ? readTriplineJson : readText
  return read(makeReadable(message), noProblems()).syntax.blocks.length
}
