import { lazy, Suspense } from 'react'
import { Navigate, Route, Routes } from 'react-router-dom'
import { paths } from '../shared/paths.ts'
import { FullScreenSpinner } from '../ui/full-screen-spinner.tsx'
import { RequireSession } from './require-session.tsx'

const LoginPage = lazy(async () => ({
  default: (await import('../features/session/login-page.tsx')).LoginPage,
}))
const RegisterPage = lazy(async () => ({
  default: (await import('../features/session/register-page.tsx')).RegisterPage,
}))
const Shell = lazy(async () => ({ default: (await import('./shell.tsx')).Shell }))
const TerminalPage = lazy(async () => ({
  default: (await import('../features/terminal/terminal-page.tsx')).TerminalPage,
}))
const ProfilePage = lazy(async () => ({ default: (await import('./profile-page.tsx')).ProfilePage }))

/** Which screen is at which address. */
export function AppRoutes() {
  return (
    <Suspense fallback={<FullScreenSpinner />}>
      <Routes>
        <Route path={paths.login} element={<LoginPage />} />
        <Route path={paths.register} element={<RegisterPage />} />
        <Route element={<RequireSession />}>
          <Route element={<Shell />}>
            <Route path={paths.terminal} element={<TerminalPage />} />
            <Route path={paths.profile} element={<ProfilePage />} />
          </Route>
        </Route>
        <Route path={paths.home} element={<Navigate to={paths.terminal} replace />} />
        <Route path="*" element={<Navigate to={paths.home} replace />} />
      </Routes>
    </Suspense>
  )
}
