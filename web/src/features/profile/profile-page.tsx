import { texts } from '../../shared/texts.ts'
import { Page } from '../../ui/page.tsx'

/** The profile, which has only its announcement. */
export function ProfilePage() {
  return (
    <Page title={texts.shell.profile}>
      <p>{texts.shell.profileSoon}</p>
    </Page>
  )
}
