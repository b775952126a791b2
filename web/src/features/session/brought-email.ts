import { useLocation } from 'react-router-dom'

/** The email that the login gets from a person who has just registered, or verified it. */
export interface BroughtEmail {
  registeredEmail?: string
  verifiedEmail?: string
}

/** Returns the email that was registered, or verified, a moment ago; neither for anybody else. */
export function useBroughtEmail(): BroughtEmail {
  const { state }: { state: BroughtEmail | null } = useLocation()
  return state ?? {}
}
