import { describe, expect, test } from '@jest/globals'
import { compareTyped, isEmail, readRegistration } from './registration.ts'

const form = {
  first_name: 'Ada',
  last_name: 'Byron',
  country: 'Italy',
  email: 'ada.b@example.org',
  confirm_email: 'ada.b@example.org ',
  password: 'a long secret',
  confirm_password: 'a long secret',
}

describe('a registration', () => {
  test('takes the username from the email and leaves the confirmations out', () => {
    expect(readRegistration(form)).toEqual({
      outcome: 'ready',
      body: {
        first_name: 'Ada',
        last_name: 'Byron',
        country: 'Italy',
        username: 'ada.b',
        email: 'ada.b@example.org',
        password: 'a long secret',
      },
    })
  })

  test.each([
    [{ confirm_email: 'ada@example.org' }, 'confirm_email', { title: 'Email addresses do not match' }],
    [{ confirm_password: 'another secret' }, 'confirm_password', { title: 'Passwords do not match' }],
    [
      { password: 'short', confirm_password: 'short' },
      'password',
      { title: 'Password too short', description: 'Password must be at least 8 characters' },
    ],
  ])('with %j is refused', (change, field, notice) => {
    expect(readRegistration({ ...form, ...change })).toEqual({ outcome: 'refused', notice, field })
  })
})

test('an email needs an @ and a dot', () => {
  expect(['a@b.c', 'a@b', 'a.b', '@b.c', 'a b@c.d'].map(isEmail)).toEqual([true, false, false, false, false])
})

test('a confirmation is judged once it cannot become right by typing on', () => {
  expect(['', 'ad', 'ada', 'adx', 'adaa'].map((second) => compareTyped('ada', second))).toEqual([
    undefined,
    undefined,
    'match',
    'mismatch',
    'mismatch',
  ])
})
