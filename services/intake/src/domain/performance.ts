import type { AlertMoments } from '@tripline/proto/alert'
import { elapsedMs } from '@tripline/proto/elapsed'
import type { Performance } from '@tripline/proto/http/webhook'

/** When an alert was received, read and answered, by intake's own clock. */
export interface IntakeMoments {
  receivedAt: number
  readAt: number
  answeredAt: number
}

/** Returns the duration of each stage of an executed alert; a stage that did not happen is absent. */
export function performanceOf(intake: IntakeMoments, executor: AlertMoments): Performance {
  const { takenAt, checkedAt, firstSentAt, firstAcknowledgedAt, finishedAt } = executor
  const lastBefore = firstAcknowledgedAt ?? firstSentAt ?? checkedAt ?? takenAt
  return {
    ...performanceSoFar(intake),
    queue_ms: elapsedMs(intake.readAt, takenAt),
    ...(checkedAt !== undefined && { check_ms: elapsedMs(takenAt, checkedAt) }),
    ...(firstSentAt !== undefined && { plan_ms: elapsedMs(checkedAt ?? takenAt, firstSentAt) }),
    ...(firstSentAt !== undefined &&
      firstAcknowledgedAt !== undefined && { venue_ms: elapsedMs(firstSentAt, firstAcknowledgedAt) }),
    settle_ms: elapsedMs(lastBefore, finishedAt),
  }
}

/** Returns the durations of an alert as far as intake itself knows. */
export function performanceSoFar({ receivedAt, readAt, answeredAt }: IntakeMoments): Performance {
  return { total_ms: elapsedMs(receivedAt, answeredAt), read_ms: elapsedMs(receivedAt, readAt) }
}
