import { z } from 'zod'
import { mostBrowserTokens } from '../most-browser-tokens.ts'

const Email = z
  .string()
  .trim()
  .max(254)
  .regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'Please enter a valid email address')

const Name = z.string().trim().min(1).max(100)
const NewPassword = z.string().min(8, 'Password must be at least 8 characters').max(256)
const MailedToken = z.string().min(1).max(256)

/** `POST /api/auth/register`. */
export const RegisterBody = z.object({
  first_name: Name,
  last_name: Name,
  country: z.string().trim().min(1).max(60),
  username: z
    .string()
    .trim()
    .min(1)
    .max(64)
    .optional()
    .describe('the wished one, made unique when it is taken; the part of the email before the @ if left out'),
  email: Email,
  password: NewPassword,
})
export type RegisterBody = z.infer<typeof RegisterBody>

/** The body of a call that is about an email. */
export const EmailBody = z.object({ email: Email })
export type EmailBody = z.infer<typeof EmailBody>

/** `POST /api/auth/verify-email`. */
export const VerifyEmailBody = z.object({
  token: MailedToken,
  password: z
    .string()
    .min(1)
    .max(256)
    .describe(
      'the one that was chosen at the registration, so that nobody gets an account that a stranger knows',
    ),
})

/** The answer to a verified email. */
export const VerifiedEmail = z.object({ message: z.string(), email: z.string() })
export type VerifiedEmail = z.infer<typeof VerifiedEmail>

/** `POST /api/auth/password-reset/confirm`. */
export const ResetPasswordBody = z.object({
  token: MailedToken,
  new_password: NewPassword,
  new_webhook_address: z
    .boolean()
    .default(true)
    .describe('whether the webhook gets a new address too; whoever knows the present one can trade with it'),
})
export type ResetPasswordBody = z.infer<typeof ResetPasswordBody>

/** The answer of a call that has nothing else to say. */
export const Message = z.object({ message: z.string() })
export type Message = z.infer<typeof Message>

/** `POST /api/auth/login`. */
export const LoginBody = z.object({
  email: z.string().trim().min(1).max(254),
  password: z.string().min(1).max(256),
  browser_tokens: z
    .array(z.string().max(256))
    .max(mostBrowserTokens)
    .optional()
    .describe('the `browser_token`s that earlier logins of this browser were answered with'),
})
export type LoginBody = z.infer<typeof LoginBody>

/** `POST /api/auth/refresh`. */
export const RefreshBody = z.object({ refresh_token: z.string().min(1).max(256) })

/** The answer of login and refresh; the access token is short-lived. */
export const TokenPair = z.object({ access_token: z.string(), refresh_token: z.string() })
export type TokenPair = z.infer<typeof TokenPair>

/** `POST /api/auth/login` answers it. */
export const LoginView = TokenPair.extend({
  browser_token: z
    .string()
    .optional()
    .describe(
      "shows at the next login that this browser is known, so that strangers' failures do not count for it",
    ),
})
export type LoginView = z.infer<typeof LoginView>

/** One session in `GET /api/auth/sessions`. */
export const SessionView = z.object({
  id: z.uuid(),
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime(),
  address: z.string().describe('from where it was opened'),
  user_agent: z.string().describe('the browser or program that opened it'),
  is_current: z.boolean(),
})
export type SessionView = z.infer<typeof SessionView>

/** `GET /api/users/me`, and what register answers. */
export const UserView = z.object({
  id: z.uuid(),
  email: z.string(),
  username: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  country: z.string(),
  created_at: z.iso.datetime(),
})
export type UserView = z.infer<typeof UserView>
