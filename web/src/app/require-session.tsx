import { useEffect } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router-dom'
import { useGetMeQuery } from '../shared/client.ts'
import { loginPath } from '../shared/paths.ts'
import { accessToken, clearTokens } from '../shared/tokens.ts'
import { FullScreenSpinner } from '../ui/full-screen-spinner.tsx'

/** Shows the screen below to a logged-in person; sends everyone else to the login. */
export function RequireSession() {
  return accessToken() === null ? <ToLogin /> : <LoadedSession />
}

function LoadedSession() {
  const { data, isError } = useGetMeQuery()
  if (data) return <Outlet />
  return isError ? <EndedSession /> : <FullScreenSpinner />
}

function EndedSession() {
  useEffect(clearTokens, [])
  return <ToLogin />
}

function ToLogin() {
  const { pathname, search } = useLocation()
  return <Navigate to={loginPath(pathname + search)} replace />
}
