import { serve } from '@tripline/kit/bus/request'
import { limitConcurrencyOfEach } from '@tripline/kit/concurrency-limit'
import { RefusedError } from '@tripline/kit/refused-error'
import { createSession, type Tokens } from '@tripline/proto/auth-request'
import { SessionId, type UserId } from '@tripline/proto/id'
import { v7 as newId } from 'uuid'
import { accountDigest } from '../crypto/account-digest.ts'
import { findBrowser, newBrowserToken } from '../crypto/browser-token.ts'
import { issueTokens } from '../crypto/issue-tokens.ts'
import { newRefreshSeed } from '../crypto/refresh-token.ts'
import type { Deps } from '../deps.ts'
import { knownBrowserBudgets, loginBudgets } from '../domain/throttle.ts'
import { findOpenRegistration } from '../store/registration.ts'
import { insertSession, type Session } from '../store/session.ts'
import { findLogin, putCredential } from '../store/user.ts'
import { returnAttempts, takeAttempts } from '../throttle.ts'

/** The logins of one account at a time: with more it would take the hashing of passwords from everybody else. */
const loginsOfAccount = {
  atOnce: 2,
  waiting: 8,
  refusal: 'Too many logins of this account at once, please try again in a moment',
}

/** Serves `auth.session.create`. */
export function serveCreateSession(deps: Deps): () => void {
  const { throttleLimits: limits, keks, now } = deps
  const limitLogins = limitConcurrencyOfEach(loginsOfAccount)
  return serve(deps.bus, createSession, async ({ email, password, browserTokens = [], ...from }) => {
    const account = accountDigest(email)
    const browser = findBrowser(keks, account, browserTokens, now())
    // Attempts of strangers must not keep out a browser that has been let in before.
    const budgets =
      browser === undefined
        ? loginBudgets(limits, account, from.address)
        : knownBrowserBudgets(limits, account, browser.id)
    // Taken before the password is looked at, so that many at once cannot try more than there is.
    await takeAttempts(deps, budgets)
    const userId = await limitLogins(account)(async () => await whoseLogin(deps, email, password)).catch(
      async (error: unknown) => {
        if (!isJudged(error)) await returnAttempts(deps, budgets)
        throw error
      },
    )
    await returnAttempts(deps, budgets)
    const tokens = await openSession(deps, userId, from)
    return { ...tokens, browserToken: browser?.token ?? newBrowserToken(keks, account, now()) }
  })
}

/** True where the password was looked at: an attempt that ended for want of room, or by a fault, was none. */
function isJudged(error: unknown): boolean {
  return error instanceof RefusedError && (error.code === 'invalid_login' || error.code === 'unverified')
}

async function whoseLogin(deps: Deps, email: string, password: string): Promise<UserId> {
  // All of it for every email: the time it takes must not disclose who has an account.
  const [login, registration] = await Promise.all([
    findLogin(deps.db, email),
    findOpenRegistration(deps.db, email),
  ])
  const passwordHash = login?.passwordHash ?? registration?.passwordHash ?? undefined
  const isRight = await deps.passwords.matches(password, passwordHash)
  if (!isRight) throw new RefusedError('invalid_login', 'Invalid email or password')
  if (login === undefined) throw new RefusedError('unverified', 'Please verify your email first')
  if (deps.passwords.isOld(login.passwordHash)) await renewHash(deps, login.user.id, password)
  return login.user.id
}

async function renewHash({ db, now, passwords }: Deps, userId: UserId, password: string): Promise<void> {
  const passwordHash = await passwords.hash(password)
  await putCredential(db, { userId, passwordHash, changedAt: new Date(now()).toISOString() })
}

async function openSession(
  deps: Deps,
  userId: UserId,
  { address, userAgent }: Pick<Session, 'address' | 'userAgent'>,
): Promise<Tokens> {
  const id = SessionId.parse(newId())
  const openedAt = deps.now()
  const session: Session = {
    id,
    userId,
    refreshSeedEnvelope: newRefreshSeed(deps.keks, id),
    usedGeneration: -1,
    createdAt: openedAt,
    refreshedAt: openedAt,
    endedAt: null,
    address,
    userAgent,
  }
  await insertSession(deps.db, session)
  return await issueTokens(deps, session, 0)
}
