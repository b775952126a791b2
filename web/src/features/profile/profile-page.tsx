import { texts } from '../../shared/texts.ts'
import { Page } from '../../ui/page.tsx'
import { AccountPanel } from './account-panel.tsx'
import { DisplayPanel } from './display-panel.tsx'
import { PasswordPanel } from './password-panel.tsx'
import './profile.css'
import { SessionsPanel } from './sessions-panel.tsx'

/** The person's account, and where it is logged in. */
export function ProfilePage() {
  return (
    <Page title={texts.shell.profile} aside={<p className="quiet">{texts.shell.profileSoon}</p>}>
      <div className="profile">
        <AccountPanel />
        <DisplayPanel />
        <PasswordPanel />
        <SessionsPanel />
      </div>
    </Page>
  )
}
