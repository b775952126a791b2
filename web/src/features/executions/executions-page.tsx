import { Page } from '../../ui/page.tsx'
import { ExecutionList } from './execution-list.tsx'
import './executions.css'
import { FilterBar, FilterChips } from './filter-bar.tsx'
import { SavedViews } from './saved-views.tsx'
import { SingleExecution } from './single-execution.tsx'
import { texts } from './texts.ts'
import { useFilters } from './use-filters.ts'

/** What became of every alert. */
export function ExecutionsPage() {
  const { id } = useFilters()
  return (
    <Page title={texts.heading}>
      {id !== null ? (
        <SingleExecution id={id} />
      ) : (
        <>
          <SavedViews />
          <FilterBar />
          <FilterChips />
          <ExecutionList />
        </>
      )}
    </Page>
  )
}
