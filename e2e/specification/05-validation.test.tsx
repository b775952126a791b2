import { describe, expect, test } from '@jest/globals'
import { EmailBody, LoginBody, RegisterBody } from '@tripline/proto/http/auth'
import { UpdateWebhookConfigBody } from '@tripline/proto/http/key'
import { NewBotLabel } from '@tripline/proto/user-config'
import { missingPart } from '../../web/src/features/notifications/missing-part.ts'
import { passwordStrength } from '../../web/src/features/session/password-strength.ts'
import {
  isEmail,
  type RegistrationForm,
  readRegistration,
} from '../../web/src/features/session/registration.ts'
import { isDeadLink } from '../../web/src/features/session/reset-failure.ts'
import { executionNotice } from '../../web/src/features/terminal/execution-notice.ts'
import { terminalTexts } from '../../web/src/features/terminal/texts.ts'
import { faultOf } from '../../web/src/landing/join-waitlist.ts'
import { texts } from '../../web/src/shared/texts.ts'

test('5, waitlist: "an empty email gives a warning titled Email required with Please enter your email address"', () => {
  expect(faultOf('')).toEqual({ title: 'Email required', description: 'Please enter your email address' })
})

test('5, login: "email and password are required"', () => {
  expect(LoginBody.safeParse({ email: 'ada@example.com', password: 'x' }).success).toBe(true)
  expect(LoginBody.safeParse({ email: 'ada@example.com', password: '' }).success).toBe(false)
  expect(LoginBody.safeParse({ email: '', password: 'x' }).success).toBe(false)
})

describe('5, registration', () => {
  const form: RegistrationForm = {
    first_name: 'Ada',
    last_name: 'Byron',
    country: 'Italy',
    email: 'ada@example.com',
    confirm_email: 'ada@example.com',
    password: '12345678',
    confirm_password: '12345678',
  }
  const errorOf = (change: Partial<RegistrationForm>) => {
    const read = readRegistration({ ...form, ...change })
    return read.outcome === 'refused' ? read.notice : read.outcome
  }

  test.each(['ada', 'ada@example', '@example.com', 'ada@.', 'a b@example.com'])(
    '"Email must match a basic pattern with an @ and a dot": %s does not',
    (email) => {
      expect(isEmail(email)).toBe(false)
      expect(EmailBody.safeParse({ email }).error?.issues[0]?.message).toBe(
        'Please enter a valid email address',
      )
      expect(texts.register.emailInvalid).toBe('Please enter a valid email address')
    },
  )

  test('"Confirm email must equal email: Email addresses do not match"', () => {
    expect(errorOf({ confirm_email: 'adam@example.com' })).toEqual({ title: 'Email addresses do not match' })
  })

  test('"Password at least 8 characters, otherwise Password must be at least 8 characters with the title Password too short"', () => {
    expect(errorOf({ password: '1234567', confirm_password: '1234567' })).toEqual({
      title: 'Password too short',
      description: 'Password must be at least 8 characters',
    })
    expect(errorOf({})).toBe('ready')
  })

  test('"Confirm password must equal the password: Passwords do not match"', () => {
    expect(errorOf({ confirm_password: '12345679' })).toEqual({ title: 'Passwords do not match' })
  })

  test.each(['first_name', 'last_name', 'country', 'email', 'password'])('%s is required', (field) => {
    expect(RegisterBody.safeParse(form).success).toBe(true)
    expect(RegisterBody.safeParse({ ...form, [field]: '' }).success).toBe(false)
  })
})

describe('5, reset password', () => {
  test.each([
    ['1234567', 25, 'Too short'],
    ['abcdefgh', 25, 'Weak'],
    ['abcdefgh1', 40, 'Fair'],
    ['abcdefghijkl', 50, 'Fair'],
    ['Abcdefgh1', 65, 'Fair'],
    ['abcdefghij1!', 75, 'Good'],
    ['Abcdefgh1!', 75, 'Good'],
    ['Abcdefghijk1', 90, 'Strong'],
    ['Abcdefghij1!', 100, 'Strong'],
  ])('"Strength meter": %s has %i points and is "%s"', (password, score, word) => {
    expect(passwordStrength(password)).toMatchObject({ score, word })
  })

  test('4: "an error message containing Invalid or expired, switches to the invalid-link view"', () => {
    expect(['Invalid link', 'The token has expired', 'Failed'].map(isDeadLink)).toEqual([true, true, false])
  })
})

describe('5, API key form', () => {
  const errorOf = (label: string) => NewBotLabel.safeParse(label).error?.issues[0]?.message

  test('"Label required (Label is required)"', () => {
    expect(errorOf('')).toBe('Label is required')
  })

  test.each(['My/Bot', 'é', 'x'.repeat(51)])(
    '"Label must consist of letters, digits, hyphen, underscore and space, 1 to 50 characters": %s does not',
    (label) => {
      expect(errorOf(label)).toBe(
        'Invalid label: Label can only contain letters, numbers, hyphens, underscores, and spaces (max 50 characters)',
      )
    },
  )

  test.each(['a', 'My Bot-2_x', 'x'.repeat(50)])('and "%s" does', (label) => {
    expect(errorOf(label)).toBeUndefined()
  })
})

test.each([
  [0, false],
  [1, true],
  [7, true],
  [60, true],
  [61, false],
  [2.5, false],
])('5: "Webhook rate limit: a number from 1 to 60": %d is taken: %s', (rate, isTaken) => {
  // The step of 5 is the stepper's: any whole number may be typed.
  expect(UpdateWebhookConfigBody.safeParse({ max_requests_per_minute: rate }).success).toBe(isTaken)
})

test('5, terminal: "the warning Empty message / Please enter a webhook message"', () => {
  expect(terminalTexts.empty).toEqual({
    title: 'Empty message',
    description: 'Please enter a webhook message',
  })
})

test.each([
  ['', '', false],
  ['1234567890', '4711', false],
  ['12345678901', '', false],
  ['12345678901', '4711', true],
])(
  '5: "configured means token and chat id non-empty and the token longer than 10 characters": "%s" and "%s" are: %s',
  (token, chatId, isConfigured) => {
    expect(missingPart({ token, chatId }) === undefined).toBe(isConfigured)
  },
)

// A notice of failure makes people send the whole message again, and with it what was done: "partial" has a notice of its own.
test.each([
  ['success', 'success'],
  ['partial', 'warning'],
  ['failed', 'error'],
])('5: "Webhook success is judged by the response status field": %s is shown as %s', (status, level) => {
  const sent = { outcome: 'answered', httpStatus: 200, body: { status, results: [] }, durationMs: 1 } as const
  expect(executionNotice(sent).level).toBe(level)
})
