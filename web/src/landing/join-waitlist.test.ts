import { describe, expect, test } from '@jest/globals'
import { faultOf, joiningOf } from './join-waitlist.ts'

describe('an email for the waitlist', () => {
  test('must be there, and look like one', () => {
    expect(faultOf('')?.title).toBe('Email required')
    expect(faultOf('ada')?.description).toBe('Please enter a valid email address')
    expect(faultOf('ada@example.com')).toBeUndefined()
  })
})

describe('an answer of the waitlist', () => {
  test('says that the email is new, or was there', () => {
    expect(joiningOf(201, {})).toEqual({
      isJoined: true,
      notice: { tone: 'success', title: 'Success!', description: "You've been added to the waitlist!" },
    })
    expect(joiningOf(200, {})).toEqual({
      isJoined: true,
      notice: {
        tone: 'success',
        title: 'Already subscribed!',
        description: "You're already on the waitlist",
      },
    })
  })

  test.each([
    [{ detail: 'Too many requests' }, 'Too many requests'],
    [{ detail: [{ field: 'email' }] }, '[{"field":"email"}]'],
    [{}, 'Failed to join waitlist'],
    [null, 'Failed to join waitlist'],
  ])('that refuses with %j says "%s"', (body, title) => {
    expect(joiningOf(429, body)).toEqual({ isJoined: false, notice: { tone: 'error', title } })
  })
})
