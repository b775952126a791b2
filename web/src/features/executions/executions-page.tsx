import { paths } from '../../shared/paths.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { Page } from '../../ui/page.tsx'
import { ExecutionList } from './execution-list.tsx'
import './executions.css'
import { FilterBar, FilterChips } from './filter-bar.tsx'
import { SavedViews, SaveView } from './saved-views.tsx'
import { SingleExecution } from './single-execution.tsx'
import { texts } from './texts.ts'
import { useFilters } from './use-filters.ts'
import { useSavedViews } from './use-saved-views.ts'

/** The outcome of every alert. */
export function ExecutionsPage() {
  const { id } = useFilters()
  return (
    <Page title={texts.heading} aside={<LinkButton to={paths.receipts}>{texts.receipts}</LinkButton>}>
      {id !== null ? <SingleExecution id={id} /> : <FilteredExecutions />}
    </Page>
  )
}

function FilteredExecutions() {
  const saved = useSavedViews()
  return (
    <>
      <SavedViews saved={saved} />
      <FilterBar />
      <FilterChips>
        <SaveView onSave={saved.save} />
      </FilterChips>
      <ExecutionList />
    </>
  )
}
