import { useEffect } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router-dom'
import { useGetMeQuery } from '../shared/client.ts'
import { failureStatus, failureText } from '../shared/failure.ts'
import { loginPath } from '../shared/paths.ts'
import { texts } from '../shared/texts.ts'
import { tokenSubject } from '../shared/token-subject.ts'
import { accessToken, forgetSession } from '../shared/tokens.ts'
import { FullScreenSpinner } from '../ui/full-screen-spinner.tsx'
import { useToast } from '../ui/toast.ts'

/** Shows the screen below to a logged-in person; sends everyone else to the login. */
export function RequireSession() {
  return accessToken() === null ? <ToLogin /> : <LoadedSession />
}

function LoadedSession() {
  const { data, isError, error } = useGetMeQuery()
  useEffect(watchOtherTabs, [])
  if (data) return <Outlet />
  return isError ? <EndedSession cause={error} /> : <FullScreenSpinner />
}

function EndedSession({ cause }: { cause: unknown }) {
  const toast = useToast()
  useEffect(() => {
    forgetSession()
    // The login itself reports one that the server does not take any more.
    if (failureStatus(cause) === 401) return
    const { title, fallback } = texts.session.unchecked
    toast.error({ title, description: failureText(cause, fallback), key: 'session' })
  }, [cause, toast])
  return <ToLogin />
}

function ToLogin() {
  const { pathname, search } = useLocation()
  return <Navigate to={loginPath(pathname + search)} replace />
}

/** Loads the page anew once another tab has ended its session or begun that of another person. */
function watchOtherTabs(): () => void {
  const ours = tokenSubject(accessToken())
  // Another tab's refresh leaves the session as it is.
  const look = () => {
    const token = accessToken()
    if (token === null || (ours !== undefined && tokenSubject(token) !== ours)) location.reload()
  }
  const onShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted) look()
  }
  // Only other tabs cause the first; a page that Back brings up may have missed it.
  window.addEventListener('storage', look)
  window.addEventListener('pageshow', onShow)
  return () => {
    window.removeEventListener('storage', look)
    window.removeEventListener('pageshow', onShow)
  }
}
