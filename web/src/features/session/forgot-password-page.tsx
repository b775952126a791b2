import { Page } from '../../ui/page.tsx'

/** Forgot password. */
export function ForgotPasswordPage() {
  return (
    <Page title="Forgot password">
      <p>Forgot password</p>
    </Page>
  )
}
