/** Every screen's address. */
export const paths = {
  home: '/',
  login: '/login',
  register: '/register',
  terminal: '/terminal',
  profile: '/profile',
} as const

/** The login screen as people reach it whose session ended, with the way back to where they were. */
export function expiredLoginPath(current: string): string {
  return `${paths.login}?session=expired&redirect=${encodeURIComponent(current)}`
}
