import { Page } from '../../ui/page.tsx'

/** Verify email. */
export function VerifyEmailPage() {
  return (
    <Page title="Verify email">
      <p>Verify email</p>
    </Page>
  )
}
