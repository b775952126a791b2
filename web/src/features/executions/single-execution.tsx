import { Empty } from 'antd'
import { paths } from '../../shared/paths.ts'
import { useHasCards } from '../../shared/use-media.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { ExecutionCards } from './execution-cards.tsx'
import { ExecutionTable } from './execution-table.tsx'
import { SkeletonRows } from './skeleton-rows.tsx'
import { texts } from './texts.ts'
import { useSingleExecution } from './use-single-execution.ts'

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
