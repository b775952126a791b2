import { Page } from '../../ui/page.tsx'

/** The linked exchange accounts. */
export function ApiKeysPage() {
  return (
    <Page title="API Keys">
      <p>API Keys</p>
    </Page>
  )
}
