import { type ComponentType, lazy, Suspense, useEffect } from 'react'
import { Route, Routes } from 'react-router-dom'
import { paths } from '../shared/paths.ts'
import { accessToken } from '../shared/tokens.ts'
import { FullScreenSpinner } from '../ui/full-screen-spinner.tsx'
import { RequireSession } from './require-session.tsx'
import { ScreenBoundary } from './screen-boundary.tsx'

/** A screen that is loaded when somebody first goes there. */
function screen<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) {
  return { Screen: lazy(async () => ({ default: (await load())[name] })), load }
}

const shell = screen(() => import('./shell.tsx'), 'Shell')

const open = [
  { path: paths.login, ...screen(() => import('../features/session/login-page.tsx'), 'LoginPage') },
  {
    path: paths.register,
    ...screen(() => import('../features/session/register-page.tsx'), 'RegisterPage'),
  },
  {
    path: paths.verifyEmail,
    ...screen(() => import('../features/session/verify-email-page.tsx'), 'VerifyEmailPage'),
  },
  {
    path: paths.forgotPassword,
    ...screen(() => import('../features/session/forgot-password-page.tsx'), 'ForgotPasswordPage'),
  },
  {
    path: paths.resetPassword,
    ...screen(() => import('../features/session/reset-password-page.tsx'), 'ResetPasswordPage'),
  },
  { path: paths.terms, ...screen(() => import('../features/legal/terms-page.tsx'), 'TermsPage') },
  { path: paths.privacy, ...screen(() => import('../features/legal/privacy-page.tsx'), 'PrivacyPage') },
]

const inSession = [
  {
    path: paths.dashboard,
    ...screen(() => import('../features/dashboard/dashboard-page.tsx'), 'DashboardPage'),
  },
  {
    path: paths.positions,
    ...screen(() => import('../features/accounts/positions-page.tsx'), 'PositionsPage'),
  },
  {
    path: paths.apiKeys,
    ...screen(() => import('../features/api-keys/api-keys-page.tsx'), 'ApiKeysPage'),
  },
  {
    path: paths.executions,
    ...screen(() => import('../features/executions/executions-page.tsx'), 'ExecutionsPage'),
  },
  {
    path: paths.receipts,
    ...screen(() => import('../features/receipts/receipts-page.tsx'), 'ReceiptsPage'),
  },
  {
    path: paths.webhook,
    ...screen(() => import('../features/webhook/webhook-page.tsx'), 'WebhookPage'),
  },
  {
    path: paths.terminal,
    ...screen(() => import('../features/terminal/terminal-page.tsx'), 'TerminalPage'),
  },
  {
    path: paths.notifications,
    ...screen(() => import('../features/notifications/notifications-page.tsx'), 'NotificationsPage'),
  },
  {
    path: paths.manual,
    ...screen(() => import('../features/manual/manual-page.tsx'), 'ManualPage'),
  },
  {
    path: paths.profile,
    ...screen(() => import('../features/profile/profile-page.tsx'), 'ProfilePage'),
  },
]

/** Begins to load the screen that the page was opened for, beside what it waits for and not after that. */
export function loadOpenedScreen(): void {
  const isOpened = ({ path }: { path: string }) => path === location.pathname
  const opened = [...open, ...inSession].filter(isOpened)
  const isInSession = accessToken() !== null && inSession.some(isOpened)
  // One that does not come is reported by the screen that shows it.
  for (const { load } of isInSession ? [shell, ...opened] : opened) load().catch(() => undefined)
}

/** Which screen is at which address. */
export function AppRoutes() {
  return (
    <ScreenBoundary>
      <Suspense fallback={<FullScreenSpinner />}>
        <Routes>
          {open.map(({ path, Screen }) => (
            <Route key={path} path={path} element={<Screen />} />
          ))}
          <Route element={<RequireSession />}>
            <Route element={<shell.Screen />}>
              {inSession.map(({ path, Screen }) => (
                <Route key={path} path={path} element={<Screen />} />
              ))}
            </Route>
          </Route>
          <Route path="*" element={<ToLanding />} />
        </Routes>
      </Suspense>
    </ScreenBoundary>
  )
}

/** Leaves this app for the landing page, which is a document of its own. */
function ToLanding() {
  useEffect(() => location.replace(paths.landing), [])
  return <FullScreenSpinner />
}
