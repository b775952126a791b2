import type { AlertMoments } from '@tripline/proto/alert'
import type { Performance } from '@tripline/proto/http/webhook'

/** When an alert was received, read and answered, by intake's own clock. */
export interface IntakeMoments {
  receivedAt: number
  readAt: number
  answeredAt: number
}

/** How long each stage of an executed alert took; a stage that did not happen is absent. */
export function stagesOf(intake: IntakeMoments, executor: AlertMoments): Performance {
  const { takenAt, checkedAt, firstSentAt, firstAcknowledgedAt, finishedAt } = executor
  const lastBefore = firstAcknowledgedAt ?? firstSentAt ?? checkedAt ?? takenAt
  return {
    ...stagesSoFar(intake),
    queue_ms: between(intake.readAt, takenAt),
    ...(checkedAt !== undefined && { check_ms: between(takenAt, checkedAt) }),
    ...(firstSentAt !== undefined && { plan_ms: between(checkedAt ?? takenAt, firstSentAt) }),
    ...(firstSentAt !== undefined &&
      firstAcknowledgedAt !== undefined && { venue_ms: between(firstSentAt, firstAcknowledgedAt) }),
    settle_ms: between(lastBefore, finishedAt),
  }
}

/** How long an alert took as far as intake itself knows. */
export function stagesSoFar({ receivedAt, readAt, answeredAt }: IntakeMoments): Performance {
  return { total_ms: between(receivedAt, answeredAt), read_ms: between(receivedAt, readAt) }
}

// To the microsecond. Clocks of two machines differ, so a stage between them may come out below nothing.
function between(from: number, to: number): number {
  return to > from ? Number((to - from).toFixed(3)) : 0
}
