import { useState } from 'react'
import { useGetNotificationsQuery, useListKeysQuery } from '../../shared/client.ts'
import { storageKeys } from '../../shared/storage-keys.ts'
import { doneSteps, type StepId, stepIds } from './checklist.ts'
import { useSummary } from './use-summary.ts'

export interface Checklist {
  done: ReadonlySet<StepId>
  urlCopied(): void
  hide(): void
}

/**
 * The first steps with what of them is done; none once all are, or where nobody wants to see them, or with what kept it
 * from being known.
 */
export function useChecklist(): { checklist?: Checklist; failure?: unknown; retry: () => void } {
  const [isUrlCopied, noteCopied] = useMark(storageKeys.webhookUrlCopied)
  const [isHidden, hide] = useMark(storageKeys.firstStepsHidden)
  const { keys, notifications, failure, retry } = useChecklistAnswers()
  // Its own failure is shown beside its figures.
  const { summary } = useSummary()
  const done = doneSteps({ keys, lastAlertAt: summary?.last_alert_at, isUrlCopied, notifications })
  if (isHidden) return { retry }
  if (done === undefined) return { failure, retry }
  return done.size === stepIds.length
    ? { retry }
    : { checklist: { done, urlCopied: noteCopied, hide }, retry }
}

/** Returns the facts by which the first steps are judged. */
export function useChecklistAnswers() {
  const keys = useListKeysQuery()
  const notifications = useGetNotificationsQuery()
  const retry = () => {
    for (const asked of [keys, notifications]) if (asked.error !== undefined) void asked.refetch()
  }
  return {
    keys: keys.data,
    notifications: notifications.data,
    isLoading: keys.isLoading || notifications.isLoading,
    failure: keys.error ?? notifications.error,
    retry,
  }
}

/** Something that is noted in this browser once and for all. */
function useMark(key: string): [isSet: boolean, set: () => void] {
  const [isSet, setIsSet] = useState(() => localStorage.getItem(key) !== null)
  const set = () => {
    localStorage.setItem(key, 'yes')
    setIsSet(true)
  }
  return [isSet, set]
}
