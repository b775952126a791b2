/** Every screen's address. */
export const paths = {
  landing: '/',
  home: '/home',
  login: '/login',
  register: '/register',
  verifyEmail: '/verify-email',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  terms: '/terms',
  privacy: '/privacy',
  dashboard: '/dashboard',
  positions: '/positions',
  apiKeys: '/api-keys',
  executions: '/executions',
  receipts: '/receipts',
  webhook: '/webhook',
  notifications: '/notifications',
  terminal: '/terminal',
  profile: '/profile',
  manual: '/manual',
} as const

/** The executions that failed in the last hour. */
export const failedPath = `${paths.executions}?overall_status=failed&range=1h`

/**
 * The state for the positions screen of a person who wants everything closed: it shows the message for that at once.
 */
export const closesEverything = { closesEverything: true } as const

/** The state for the terminal of a person who wants to write there at once. */
export const writingState = { isWriting: true } as const

/** One execution in the history. */
export function executionPath(id: string): string {
  return `${paths.executions}?id=${encodeURIComponent(id)}`
}

/** All that the history has of one alert. */
export function alertPath(alertId: string): string {
  return `${paths.executions}?search=${encodeURIComponent(alertId)}`
}

/** Returns the path of one bot's settings. */
export function editKeyPath(id: string): string {
  return `${paths.apiKeys}?edit=${encodeURIComponent(id)}`
}

/** A place in the manual: a command or a code. */
export function manualPath(place: string): string {
  return `${paths.manual}#${place}`
}

/** The login screen, with the way back to where somebody wanted to be. */
export function loginPath(wanted: string): string {
  return `${paths.login}?redirect=${encodeURIComponent(wanted)}`
}

/** The login screen as people reach it whose session ended, with the way back to where they were. */
export function expiredLoginPath(current: string): string {
  return `${paths.login}?session=expired&redirect=${encodeURIComponent(current)}`
}
