import { useLocation } from 'react-router-dom'

/** What the login is brought by who has just registered, or verified the email. */
export interface BroughtEmail {
  registeredEmail?: string
  verifiedEmail?: string
}

/** Returns the email that was registered, or verified, a moment ago; neither for anybody else. */
export function useBroughtEmail(): BroughtEmail {
  const { state }: { state: BroughtEmail | null } = useLocation()
  return state ?? {}
}
