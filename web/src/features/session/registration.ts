import type { RegisterApiArg } from '../../shared/client.ts'
import { texts } from '../../shared/texts.ts'

/** The values of the registration form. */
export interface RegistrationForm {
  first_name: string
  last_name: string
  country: string
  email: string
  confirm_email: string
  password: string
  confirm_password: string
}

/** A form that can be sent, or the text to the person about it and where to mend it. */
export type Registration =
  | { outcome: 'ready'; body: RegisterApiArg }
  | {
      outcome: 'refused'
      notice: { title: string; description?: string }
      field: keyof RegistrationForm
    }

/** Checks a filled-in form; the username is the part of the email before the @. */
export function readRegistration(form: RegistrationForm): Registration {
  const email = form.email.trim()
  const { emailMismatch, passwordShort, passwordMismatch } = texts.register
  if (email !== form.confirm_email.trim()) return refused('confirm_email', { title: emailMismatch })
  if (form.password.length < 8) return refused('password', passwordShort)
  if (form.password !== form.confirm_password) return refused('confirm_password', { title: passwordMismatch })
  const { first_name, last_name, country, password } = form
  const body = { first_name, last_name, country, username: usernameOf(email), email, password }
  return { outcome: 'ready', body }
}

/** Whether a text looks like an email address. */
export function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim())
}

/** The username that goes with an email: the part before the @. */
export function usernameOf(email: string): string {
  return email.trim().split('@')[0] ?? ''
}

/** Compares a text that is typed twice; nothing is said before it is typed, or while the second is its beginning. */
export function compareTyped(first: string, second: string): 'match' | 'mismatch' | undefined {
  if (second === '' || (second !== first && first.startsWith(second))) return undefined
  return first === second ? 'match' : 'mismatch'
}

function refused(
  field: keyof RegistrationForm,
  notice: { title: string; description?: string },
): Registration {
  return { outcome: 'refused', notice, field }
}
