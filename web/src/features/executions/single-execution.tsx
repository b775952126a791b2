import { Link } from 'react-router-dom'
import { useGetExecutionQuery } from '../../shared/client.ts'
import { paths } from '../../shared/paths.ts'
import { useIsNarrow } from '../../shared/use-media.ts'
import { ExecutionCards } from './execution-cards.tsx'
import { ExecutionTable } from './execution-table.tsx'
import { SkeletonRows } from './skeleton-rows.tsx'
import { texts } from './texts.ts'

/** One execution alone, opened: where a link to it leads. */
export function SingleExecution({ id }: { id: string }) {
  const { data: execution, isError } = useGetExecutionQuery(id)
  const List = useIsNarrow() ? ExecutionCards : ExecutionTable
  return (
    <>
      <p className="execution-actions">
        <Link className="action" to={paths.executions}>
          ‹ {texts.single.all}
        </Link>
      </p>
      {isError && <p className="empty-history">{texts.single.missing}</p>}
      {execution === undefined && !isError && <SkeletonRows count={1} />}
      {execution !== undefined && (
        <div className="execution-list">
          <List executions={[execution]} openIds={new Set([execution.id])} onToggle={() => undefined} />
        </div>
      )}
    </>
  )
}
