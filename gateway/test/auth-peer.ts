import { type Bus, publish } from '@tripline/kit/bus/bus'
import { serve } from '@tripline/kit/bus/request'
import { RefusedError } from '@tripline/kit/refused-error'
import {
  createSession,
  endOtherSessions,
  endSession,
  getUser,
  joinWaitlist,
  listSessions,
  listSigningKeys,
  refreshSession,
  registerUser,
  requestPasswordReset,
  resendVerification,
  resetPassword,
  verifyEmail,
} from '@tripline/proto/auth-request'
import type { SessionId } from '@tripline/proto/id'
import type { RequestContract } from '@tripline/proto/request'
import { sessionEndedSubject } from '@tripline/proto/subject'
import type { Known } from './known.ts'

/** Plays auth over the real bus. */
export function playAuth(bus: Bus, known: Known): (() => void)[] {
  return [...playAccounts(bus, known), ...playLogins(bus, known), ...playSessions(bus, known)]
}

function playAccounts(bus: Bus, known: Known): (() => void)[] {
  const note = (contract: RequestContract, value: unknown) =>
    known.asked.push({ subject: contract.subject, value })
  return [
    serve(bus, registerUser, async (asked) => {
      note(registerUser, asked)
      const user = [...known.users.values()][0]
      if (user === undefined) throw new Error('the test has no user')
      if (asked.password === 'password') {
        const faults = [{ field: 'firstName', message: 'is odd' }]
        throw new RefusedError('invalid_request', 'The request is not valid', { faults })
      }
      return { ...user, email: asked.email }
    }),
    serve(bus, verifyEmail, async ({ token }) => {
      if (token !== 'good') throw new RefusedError('invalid_token', 'Invalid or expired verification link')
      return { email: 'ada@example.com' }
    }),
    serve(bus, resendVerification, async (asked) => {
      note(resendVerification, asked)
      return {}
    }),
    serve(bus, requestPasswordReset, async (asked) => {
      note(requestPasswordReset, asked)
      if (asked.email === 'often@example.com') {
        throw new RefusedError('rate_limited', 'Too many attempts', { retryAfterS: 90 })
      }
      return {}
    }),
    serve(bus, resetPassword, async (asked) => {
      if (asked.token !== 'good') throw new RefusedError('invalid_token', 'Invalid or expired token')
      note(resetPassword, asked)
      return {}
    }),
    serve(bus, joinWaitlist, async ({ email }) => ({ isNew: email === 'new@example.com' })),
  ]
}

function playLogins(bus: Bus, known: Known): (() => void)[] {
  const tokens = { accessToken: 'access', refreshToken: 'refresh' }
  return [
    serve(bus, createSession, async (asked) => {
      known.asked.push({ subject: createSession.subject, value: asked })
      const { email, password } = asked
      if (password !== 'right password') throw new RefusedError('invalid_login', 'Invalid credentials')
      if (email === 'new@example.com') throw new RefusedError('unverified', 'Please verify your email first')
      return tokens
    }),
    serve(bus, refreshSession, async ({ refreshToken }) => {
      if (refreshToken !== 'refresh') throw new RefusedError('unauthorized', 'Session expired')
      return tokens
    }),
    serve(bus, getUser, async ({ userId, sessionId }) => {
      const user = known.users.get(userId)
      if (user === undefined || known.endedSessions.has(sessionId)) {
        throw new RefusedError('unauthorized', 'Session expired')
      }
      return user
    }),
    serve(bus, listSigningKeys, async () => {
      known.asked.push({ subject: listSigningKeys.subject, value: {} })
      return { keys: known.signingKeys.map(({ jwk }) => jwk) }
    }),
  ]
}

function playSessions(bus: Bus, known: Known): (() => void)[] {
  const end = (sessionId: SessionId): void => {
    known.endedSessions.add(sessionId)
    publish(bus, sessionEndedSubject, JSON.stringify({ sessionId }))
  }
  return [
    serve(bus, listSessions, async ({ sessionId }) => {
      const at = '2026-11-21T12:00:00.000Z'
      const session = {
        id: sessionId,
        createdAt: at,
        usedAt: at,
        address: '203.0.113.1',
        userAgent: 'Test/1',
      }
      return { sessions: [session] }
    }),
    serve(bus, endSession, async ({ userId, sessionId }) => {
      // Every session of the tests carries the first letters of its user.
      if (sessionId.slice(0, -1) !== userId.slice(0, -1))
        throw new RefusedError('not_found', 'Session not found')
      end(sessionId)
      return {}
    }),
    serve(bus, endOtherSessions, async (asked) => {
      known.asked.push({ subject: endOtherSessions.subject, value: asked })
      return {}
    }),
  ]
}
