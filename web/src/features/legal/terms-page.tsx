import { Page } from '../../ui/page.tsx'

/** The terms of service. */
export function TermsPage() {
  return (
    <Page title="Terms of Service">
      <p>Terms of Service</p>
    </Page>
  )
}
