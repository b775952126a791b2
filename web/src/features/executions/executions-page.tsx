import { Page } from '../../ui/page.tsx'

/** What became of every alert. */
export function ExecutionsPage() {
  return (
    <Page title="Execution History">
      <p>Execution History</p>
    </Page>
  )
}
