import { describe, expect, test } from '@jest/globals'
import { texts as keys } from '../../web/src/features/api-keys/texts.ts'
import { texts as executions } from '../../web/src/features/executions/texts.ts'
import { notificationTexts } from '../../web/src/features/notifications/texts.ts'
import { resetFailureText } from '../../web/src/features/session/reset-failure.ts'
import { executionNotice } from '../../web/src/features/terminal/execution-notice.ts'
import { recordOf } from '../../web/src/features/terminal/response-record.ts'
import { terminalTexts } from '../../web/src/features/terminal/texts.ts'
import { webhookTexts } from '../../web/src/features/webhook/texts.ts'
import { joiningOf } from '../../web/src/landing/join-waitlist.ts'
import { landingTexts } from '../../web/src/landing/landing-texts.ts'
import { failureList, failureText } from '../../web/src/shared/failure.ts'
import { texts } from '../../web/src/shared/texts.ts'

const refused = (detail?: unknown) => ({ status: 400, data: { detail } })

describe('8, general', () => {
  test('"error toasts show the server\'s detail field when present"', () => {
    expect(failureText(refused('No such key'))).toBe('No such key')
  })

  test('"(JSON-encoded when not a string)"', () => {
    expect(failureText(refused({ why: 'x' }))).toBe('{"why":"x"}')
  })

  test('"else a fallback. The general fallback is Something went wrong"', () => {
    expect(failureText(refused())).toBe('Something went wrong')
    expect(failureText(refused(), 'Failed to join waitlist')).toBe('Failed to join waitlist')
  })
})

/** Texts of the catalogue that stand in a table of the screens; that they are shown is tested in a browser. */
test.each([
  ['Session expired toast', texts.session.expired, 'Session expired', 'Please log in again to continue'],
  ['Login: failure', texts.login.failure, 'Login failed', 'Invalid credentials'],
  ['Login: success', texts.login.success, 'Login successful'],
  ['Registration: emails', texts.register.emailMismatch, 'Email addresses do not match'],
  ['Registration: passwords', texts.register.passwordMismatch, 'Passwords do not match'],
  ['Registration: server error', texts.register.failure, 'Registration failed'],
  [
    'Registration: success',
    texts.register.success,
    'Registration successful',
    'Please check your email to verify your account',
  ],
  ['Verification failure', texts.verifyEmail.fallback, 'Failed to verify email. The link may have expired.'],
  ['Verification without a token', texts.verifyEmail.noToken, 'Invalid verification link'],
  [
    'Password reset: the request',
    texts.forgotPassword.sent,
    'If an account exists with that email, we sent a password reset link.',
  ],
  [
    'Password reset: a missing token',
    texts.resetPassword.invalidLink,
    'Invalid link',
    'The password reset link is invalid or missing.',
  ],
  ['Password reset: failure', texts.resetPassword.failure, 'Reset failed'],
  [
    'Password reset: success',
    texts.resetPassword.success,
    'Password reset successful',
    'You can now login with your new password',
  ],
  ['Waitlist: success', landingTexts.waitlist.joined, 'Success!', "You've been added to the waitlist!"],
  [
    'Waitlist: already',
    landingTexts.waitlist.already,
    'Already subscribed!',
    "You're already on the waitlist",
  ],
  ['API keys: load', keys.loadFailure, 'Failed to load API keys'],
  ['API keys: add', keys.form.failure.add, 'Failed to add API key'],
  ['API keys: update', keys.form.failure.edit, 'Failed to update API key'],
  ['API keys: delete', keys.deletion.failure, 'Failed to delete API key'],
  ['API keys: test', keys.connection.failure, 'Connection failed'],
  ['API keys: test, fallback', keys.connection.fallback, 'Failed to connect to exchange'],
  ['API keys: added', keys.form.success.add, 'API key added successfully'],
  ['API keys: updated', keys.form.success.edit, 'API key updated successfully'],
  ['API keys: deleted', keys.deletion.success, 'API key deleted successfully'],
  ['API keys: tested', keys.connection.success, 'Connection successful'],
  ['API keys: tested, description', keys.connection.works, 'API key is valid and working'],
  ['Executions', executions.loadFailure, 'Failed to load executions'],
  ['Webhook config: load', webhookTexts.loadFailure, 'Failed to load webhook configuration'],
  ['Webhook config: save', webhookTexts.saveFailure, 'Failed to save settings'],
  ['Webhook config: regenerate', webhookTexts.regenerate.failure, 'Failed to regenerate token'],
  ['Webhook config: saved', webhookTexts.saved, 'Settings saved'],
  [
    'Webhook config: regenerated',
    webhookTexts.regenerate.done,
    'Token regenerated',
    'New webhook URL generated. Update your TradingView alerts!',
  ],
  ['Webhook config: copied', texts.general.copied, 'Copied to clipboard'],
  ['Notifications: load', notificationTexts.loadFailure, 'Failed to load notification settings'],
  ['Notifications: save', notificationTexts.saveFailure, 'Failed to save settings'],
  [
    'Notifications: saved',
    notificationTexts.saved,
    'Settings saved',
    'Notification settings updated successfully',
  ],
  [
    'Notifications: tested',
    notificationTexts.tested,
    'Test message sent',
    'Check your Telegram for the test notification',
  ],
  ['Notifications: test failed', notificationTexts.testFailure, 'Test failed', 'Failed to send test message'],
  ['Terminal: cleared', terminalTexts.cleared, 'Terminal cleared'],
  ['Streams: landing', landingTexts.activity.connecting, 'Connecting to live stream...'],
  ['Streams: landing, empty', landingTexts.activity.waiting, 'Waiting for events...'],
  ['Streams: authenticated', texts.log.failure, 'Failed to connect to event stream'],
])('8: %s', (_place, text, ...words) => {
  expect(typeof text === 'string' ? [text] : Object.values(text)).toEqual(words)
})

describe('8, password reset', () => {
  test.each([
    ['the server detail string', refused('Invalid or expired token!'), 'Invalid or expired token!'],
    ['"Invalid or expired token"', refused([{ field: 'token' }]), 'Invalid or expired token'],
    ['"Failed to reset password" when there is no detail', refused(), 'Failed to reset password'],
  ])('"description %s"', (_which, failure, description) => {
    expect(resetFailureText(failure)).toBe(description)
  })
})

test('8, API keys: "a list of detail messages is joined by commas"', () => {
  const detail = [
    { field: 'label', message: 'Label is required' },
    { field: 'api_key', message: 'API credentials are required' },
  ]
  expect(failureList(refused(detail))).toBe('Label is required, API credentials are required')
})

test('8, waitlist: "Otherwise the error toast shows the detail or Failed to join waitlist"', () => {
  expect(joiningOf(422, { detail: 'No such address' }).notice.title).toBe('No such address')
  expect(joiningOf(500, {}).notice.title).toBe('Failed to join waitlist')
})

describe('8, terminal', () => {
  const answered = (body: unknown, httpStatus = 200) =>
    executionNotice({ outcome: 'answered', httpStatus, body, durationMs: 1 })
  const command = (success: boolean) => ({ success })

  test.each([
    [
      '"Webhook executed successfully with n/m command(s) completed"',
      answered({ status: 'success', results: [{ commands: [command(true), command(true)] }] }),
      ['success', 'Webhook executed successfully', '2/2 command(s) completed'],
    ],
    [
      '"or Executed successfully when there are no command counts"',
      answered({ status: 'success' }),
      ['success', 'Webhook executed successfully', 'Executed successfully'],
    ],
    [
      '"Unsuccessful reply: Webhook execution failed with the error"',
      answered({ status: 'failed', error: 'no margin', message: 'x' }),
      ['error', 'Webhook execution failed', 'no margin'],
    ],
    [
      '"or message"',
      answered({ status: 'failed', error: null, message: '0 of 1 command succeeded' }),
      ['error', 'Webhook execution failed', '0 of 1 command succeeded'],
    ],
    [
      '"else Check response for details"',
      answered({ status: 'failed' }),
      ['error', 'Webhook execution failed', 'Check response for details'],
    ],
    [
      '"Request failed with the detail"',
      answered({ detail: 'E202 unknown command' }, 400),
      ['error', 'Request failed', 'E202 unknown command'],
    ],
    [
      '"the error message"',
      executionNotice({ outcome: 'unanswered', error: 'Failed to fetch', durationMs: 1 }),
      ['error', 'Request failed', 'Failed to fetch'],
    ],
    [
      '"or Network or server error"',
      executionNotice({ outcome: 'unanswered', error: '', durationMs: 1 }),
      ['error', 'Request failed', 'Network or server error'],
    ],
  ])('%s', (_words, { level, title, description }, received) => {
    expect([level, title, description]).toEqual(received)
  })

  test('"it is recorded as a response with status 500 if no HTTP status exists"', () => {
    const sent = { outcome: 'unanswered', error: 'Failed to fetch', durationMs: 1 } as const
    const record = recordOf(sent, { id: '1', timestamp: '2026-01-02T03:04:05.006Z', request: 'x' })
    expect(record).toMatchObject({ httpStatus: 500, success: false })
  })
})
