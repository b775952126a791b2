import { Empty } from 'antd'
import { client } from '../../shared/client.ts'
import { failureStatus } from '../../shared/failure.ts'
import { paths } from '../../shared/paths.ts'
import { useHasCards } from '../../shared/use-media.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { isYoung } from './alert-age.ts'
import { ExecutionCards } from './execution-cards.tsx'
import { ExecutionTable } from './execution-table.tsx'
import { SkeletonRows } from './skeleton-rows.tsx'
import { texts } from './texts.ts'

/** One execution alone, opened: where a link to it leads. */
export function SingleExecution({ id }: { id: string }) {
  const { execution, isMissing, failure, isAwaited, retry } = useSingleExecution(id)
  const List = useHasCards() ? ExecutionCards : ExecutionTable
  return (
    <>
      <p className="execution-actions">
        <LinkButton size="small" to={paths.executions}>
          ‹ {texts.single.all}
        </LinkButton>
      </p>
      {failure !== undefined && <LoadFailure title={texts.loadFailure} error={failure} onRetry={retry} />}
      {isMissing && <Empty image={null} description={texts.single.missing} />}
      {isAwaited && <SkeletonRows count={1} />}
      {execution !== undefined && (
        <div className="execution-list">
          <List executions={[execution]} openIds={new Set([execution.id])} onToggle={() => undefined} />
        </div>
      )}
    </>
  )
}

const { useQueryState: useExecutionState, useQuerySubscription: useExecutionSubscription } =
  client.endpoints.getExecution

const askAgainAfterMs = 1000

/** One execution by its id; a young one that is not in the history yet is waited for. */
function useSingleExecution(id: string) {
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
