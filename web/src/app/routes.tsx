import { type ComponentType, lazy, Suspense, useEffect } from 'react'
import { Route, Routes } from 'react-router-dom'
import { paths } from '../shared/paths.ts'
import { FullScreenSpinner } from '../ui/full-screen-spinner.tsx'
import { RequireSession } from './require-session.tsx'
import { ScreenBoundary } from './screen-boundary.tsx'

/** A screen that is loaded when somebody first goes there. */
function screen<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) {
  return lazy(async () => ({ default: (await load())[name] }))
}

const Shell = screen(() => import('./shell.tsx'), 'Shell')

const open = [
  { path: paths.login, Screen: screen(() => import('../features/session/login-page.tsx'), 'LoginPage') },
  {
    path: paths.register,
    Screen: screen(() => import('../features/session/register-page.tsx'), 'RegisterPage'),
  },
  {
    path: paths.verifyEmail,
    Screen: screen(() => import('../features/session/verify-email-page.tsx'), 'VerifyEmailPage'),
  },
  {
    path: paths.forgotPassword,
    Screen: screen(() => import('../features/session/forgot-password-page.tsx'), 'ForgotPasswordPage'),
  },
  {
    path: paths.resetPassword,
    Screen: screen(() => import('../features/session/reset-password-page.tsx'), 'ResetPasswordPage'),
  },
  { path: paths.terms, Screen: screen(() => import('../features/legal/terms-page.tsx'), 'TermsPage') },
  { path: paths.privacy, Screen: screen(() => import('../features/legal/privacy-page.tsx'), 'PrivacyPage') },
]

const inSession = [
  {
    path: paths.dashboard,
    Screen: screen(() => import('../features/dashboard/dashboard-page.tsx'), 'DashboardPage'),
  },
  {
    path: paths.apiKeys,
    Screen: screen(() => import('../features/api-keys/api-keys-page.tsx'), 'ApiKeysPage'),
  },
  {
    path: paths.executions,
    Screen: screen(() => import('../features/executions/executions-page.tsx'), 'ExecutionsPage'),
  },
  {
    path: paths.webhook,
    Screen: screen(() => import('../features/webhook/webhook-page.tsx'), 'WebhookPage'),
  },
  {
    path: paths.terminal,
    Screen: screen(() => import('../features/terminal/terminal-page.tsx'), 'TerminalPage'),
  },
  {
    path: paths.notifications,
    Screen: screen(() => import('../features/notifications/notifications-page.tsx'), 'NotificationsPage'),
  },
  {
    path: paths.profile,
    Screen: screen(() => import('../features/profile/profile-page.tsx'), 'ProfilePage'),
  },
]

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
            <Route element={<Shell />}>
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
