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

/** The first steps with what of them is done; undefined once all are, or where nobody wants to see them. */
export function useChecklist(): Checklist | undefined {
  const [isUrlCopied, noteCopied] = useMark(storageKeys.webhookUrlCopied)
  const [isHidden, hide] = useMark(storageKeys.firstStepsHidden)
  const { keys, notifications } = useChecklistAnswers()
  const { summary } = useSummary()
  const done = doneSteps({ keys, lastAlertAt: summary?.last_alert_at, isUrlCopied, notifications })
  if (isHidden || done === undefined || done.size === stepIds.length) return undefined
  return { done, urlCopied: noteCopied, hide }
}

/** What the first steps are judged by. */
export function useChecklistAnswers() {
  const { data: keys, isLoading: isLoadingKeys } = useListKeysQuery()
  const { data: notifications, isLoading } = useGetNotificationsQuery()
  return { keys, notifications, isLoading: isLoadingKeys || isLoading }
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
