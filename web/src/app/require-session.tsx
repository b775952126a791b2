import { useEffect } from 'react'
import { Navigate, Outlet } from 'react-router-dom'
import { useGetMeQuery } from '../shared/client.ts'
import { paths } from '../shared/paths.ts'
import { accessToken, clearTokens } from '../shared/tokens.ts'
import { FullScreenSpinner } from '../ui/full-screen-spinner.tsx'

/** Shows the screen below to a logged-in person; sends everyone else to the login. */
export function RequireSession() {
  return accessToken() === null ? <Navigate to={paths.login} replace /> : <LoadedSession />
}

function LoadedSession() {
  const me = useGetMeQuery()
  if (me.isSuccess) return <Outlet />
  return me.isError ? <EndedSession /> : <FullScreenSpinner />
}

function EndedSession() {
  useEffect(clearTokens, [])
  return <Navigate to={paths.login} replace />
}
