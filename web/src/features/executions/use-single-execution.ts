import { client } from '../../shared/client.ts'
import { failureStatus } from '../../shared/failure.ts'
import { isYoung } from './alert-age.ts'

const { useQueryState: useExecutionState, useQuerySubscription: useExecutionSubscription } =
  client.endpoints.getExecution

const askAgainAfterMs = 1000

/** One execution by its id; a young one that is not in the history yet is waited for. */
export function useSingleExecution(id: string) {
  const { currentData: execution, error } = useExecutionState(id)
  const isUnheardOf = execution === undefined && failureStatus(error) === 404
  const isComing = isUnheardOf && isYoung(id, Date.now())
  const { refetch } = useExecutionSubscription(id, {
    pollingInterval: isComing ? askAgainAfterMs : 0,
    skipPollingIfUnfocused: true,
  })
  return {
    execution,
    isMissing: isUnheardOf && !isComing,
    failure: isUnheardOf ? undefined : error,
    isAwaited: execution === undefined && (error === undefined || isComing),
    retry: () => void refetch(),
  }
}
