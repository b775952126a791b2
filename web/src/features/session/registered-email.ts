import { useLocation } from 'react-router-dom'

/** What the login is brought by who has just registered. */
export interface Registered {
  registeredEmail: string
}

/** Returns the email that was registered a moment ago; undefined for anybody else. */
export function useRegisteredEmail(): string | undefined {
  const { state }: { state: Partial<Registered> | null } = useLocation()
  return state?.registeredEmail
}
