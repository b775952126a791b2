import { RegisterBody } from '@tripline/proto/http/auth'
import type { RegisterApiArg } from '../../shared/client.ts'
import { texts } from '../../shared/texts.ts'

/** What the registration form holds. */
export interface RegistrationForm {
  first_name: string
  last_name: string
  country: string
  email: string
  confirm_email: string
  password: string
  confirm_password: string
}

/** A form that can be sent, or what to tell the person about it. */
export type Registration =
  | { outcome: 'ready'; body: RegisterApiArg & { username: string } }
  | { outcome: 'refused'; notice: { title: string; description?: string } }

/** Checks a filled-in form; the username is the part of the email before the @. */
export function readRegistration(form: RegistrationForm): Registration {
  const email = form.email.trim()
  if (email !== form.confirm_email.trim()) return refused({ title: texts.register.emailMismatch })
  if (form.password.length < 8) return refused(texts.register.passwordShort)
  if (form.password !== form.confirm_password) return refused({ title: texts.register.passwordMismatch })
  const { first_name, last_name, country, password } = form
  const username = email.split('@')[0] ?? ''
  return { outcome: 'ready', body: { first_name, last_name, country, username, email, password } }
}

/** Whether a text looks like an email address. */
export function isEmail(text: string): boolean {
  return RegisterBody.shape.email.safeParse(text).success
}

function refused(notice: { title: string; description?: string }): Registration {
  return { outcome: 'refused', notice }
}
