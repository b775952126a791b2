import { Page } from '../../ui/page.tsx'

/** The privacy policy. */
export function PrivacyPage() {
  return (
    <Page title="Privacy Policy">
      <p>Privacy Policy</p>
    </Page>
  )
}
