import { Page } from '../../ui/page.tsx'

/** Reset password. */
export function ResetPasswordPage() {
  return (
    <Page title="Reset password">
      <p>Reset password</p>
    </Page>
  )
}
