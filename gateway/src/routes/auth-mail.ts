import {
  requestPasswordReset,
  resendVerification,
  resetPassword,
  verifyEmail,
} from '@tripline/proto/auth-request'
import {
  EmailBody,
  Message,
  ResetPasswordBody,
  VerifiedEmail,
  VerifyEmailQuery,
} from '@tripline/proto/http/auth'
import { ErrorBody } from '@tripline/proto/http/error'
import type { Ask } from '../ask.ts'
import { type Api, refusals } from './api.ts'

const tags = ['session']
const mailAnswers = { ...refusals, 200: Message, 429: ErrorBody }

/** What is done with a mailed link: an email is verified, a password set anew. */
export function authMailRoutes(api: Api, ask: Ask): void {
  verifyRoute(api, ask)
  resendRoute(api, ask)
  requestResetRoute(api, ask)
  confirmResetRoute(api, ask)
}

function verifyRoute(api: Api, ask: Ask): void {
  api.get(
    '/api/auth/verify-email',
    {
      // Whoever looks at the headers alone must not spend the token.
      exposeHeadRoute: false,
      schema: {
        tags,
        summary: 'Verify an email',
        description: 'The token is spent by its first use; for an hour the call repeats its success.',
        querystring: VerifyEmailQuery,
        response: { ...refusals, 200: VerifiedEmail },
      },
    },
    async ({ query }) => {
      const { email } = await ask(verifyEmail, { token: query.token })
      return { message: 'Email verified successfully', email }
    },
  )
}

function resendRoute(api: Api, ask: Ask): void {
  api.post(
    '/api/auth/verify-email/resend',
    { schema: { tags, summary: 'Mail another verification link', body: EmailBody, response: mailAnswers } },
    async ({ body, ip }) => {
      await ask(resendVerification, { email: body.email, address: ip })
      return { message: 'If an account waits for its email to be verified, we sent a new link.' }
    },
  )
}

function requestResetRoute(api: Api, ask: Ask): void {
  api.post(
    '/api/auth/password-reset/request',
    { schema: { tags, summary: 'Mail a link for a new password', body: EmailBody, response: mailAnswers } },
    async ({ body, ip }) => {
      await ask(requestPasswordReset, { email: body.email, address: ip })
      return { message: 'If an account exists with that email, we sent a password reset link.' }
    },
  )
}

function confirmResetRoute(api: Api, ask: Ask): void {
  const summary = 'Set a new password, and end every session'
  api.post(
    '/api/auth/password-reset/confirm',
    { schema: { tags, summary, body: ResetPasswordBody, response: { ...refusals, 200: Message } } },
    async ({ body }) => {
      await ask(resetPassword, { token: body.token, newPassword: body.new_password })
      return { message: 'You can now login with your new password' }
    },
  )
}
