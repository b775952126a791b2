import { texts } from '../../shared/texts.ts'
import { Page } from '../../ui/page.tsx'
import { AccountPanel } from './account-panel.tsx'
import { ComingPanel } from './coming-panel.tsx'
import { DisplayPanel } from './display-panel.tsx'
import { PasswordPanel } from './password-panel.tsx'
import './profile.css'
import { SessionsPanel } from './sessions-panel.tsx'

/** The person's account, and where it is logged in. */
export function ProfilePage() {
  return (
    <Page title={texts.shell.profile}>
      <div className="profile">
        <div className="profile-stack">
          <AccountPanel />
          <DisplayPanel />
          <PasswordPanel />
          <ComingPanel />
        </div>
        <SessionsPanel />
      </div>
    </Page>
  )
}
