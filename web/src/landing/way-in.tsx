import { useSyncExternalStore } from 'react'
import { paths } from '../shared/paths.ts'
import { storageKeys } from '../shared/storage-keys.ts'
import { AppLink } from './app-link.tsx'
import { landingTexts } from './landing-texts.ts'

/** The way into the app: to the dashboard for somebody with a session, to the login for anybody else. */
export function WayIn() {
  // The built page knows no session: it is looked for once the page runs.
  const hasSession = useSyncExternalStore(subscribe, hasRefreshToken, () => false)
  return (
    <AppLink href={hasSession ? paths.dashboard : paths.login} className="button">
      {hasSession ? landingTexts.dashboard : landingTexts.login}
    </AppLink>
  )
}

function hasRefreshToken(): boolean {
  return localStorage.getItem(storageKeys.refreshToken) !== null
}

/** Another tab may log in or out. */
function subscribe(listener: () => void): () => void {
  window.addEventListener('storage', listener)
  return () => window.removeEventListener('storage', listener)
}
