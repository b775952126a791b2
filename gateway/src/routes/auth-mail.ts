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
  VerifyEmailBody,
} from '@tripline/proto/http/auth'
import { ErrorBody } from '@tripline/proto/http/error'
import type { Ask } from '../ask.ts'
import { type Api, refusals } from './api.ts'

const tags = ['session']
const mailAnswers = { ...refusals, 200: Message, 429: ErrorBody }

/** Routes of mailed links: an email is verified, a password set anew. */
export function authMailRoutes(api: Api, ask: Ask): void {
  verifyRoute(api, ask)
  resendRoute(api, ask)
  requestResetRoute(api, ask)
  confirmResetRoute(api, ask)
}

function verifyRoute(api: Api, ask: Ask): void {
  api.post(
    '/api/auth/verify-email',
    {
      schema: {
        tags,
        operationId: 'verifyEmail',
        summary: 'Verify an email',
        description: 'The token is spent by its first use; for an hour the call repeats its success.',
        body: VerifyEmailBody,
        response: { ...refusals, 200: VerifiedEmail, 429: ErrorBody },
      },
    },
    async ({ body }) => {
      const { email } = await ask(verifyEmail, body)
      return { message: 'Email verified successfully', email }
    },
  )
}

function resendRoute(api: Api, ask: Ask): void {
  api.post(
    '/api/auth/verify-email/resend',
    {
      schema: {
        tags,
        operationId: 'resendVerification',
        summary: 'Mail another verification link',
        body: EmailBody,
        response: mailAnswers,
      },
    },
    async ({ body, ip }) => {
      await ask(resendVerification, { email: body.email, address: ip })
      return { message: 'If an account waits for its email to be verified, we sent a new link.' }
    },
  )
}

function requestResetRoute(api: Api, ask: Ask): void {
  api.post(
    '/api/auth/password-reset/request',
    {
      schema: {
        tags,
        operationId: 'requestPasswordReset',
        summary: 'Mail a link for a new password',
        body: EmailBody,
        response: mailAnswers,
      },
    },
    async ({ body, ip }) => {
      await ask(requestPasswordReset, { email: body.email, address: ip })
      return { message: 'If an account exists with that email, we sent a password reset link.' }
    },
  )
}

function confirmResetRoute(api: Api, ask: Ask): void {
  const summary = 'Set a new password, end every session, and give the webhook a new address'
  api.post(
    '/api/auth/password-reset/confirm',
    {
      schema: {
        tags,
        operationId: 'resetPassword',
        summary,
        body: ResetPasswordBody,
        response: { ...refusals, 200: Message },
      },
    },
    async ({ body }) => {
      const { token, new_password: newPassword, new_webhook_address: newWebhookAddress } = body
      await ask(resetPassword, { token, newPassword, newWebhookAddress })
      return { message: 'You can now login with your new password' }
    },
  )
}
