import path from 'node:path'
import type { Bus } from '@tripline/kit/bus/bus'
import { sendRequest } from '@tripline/kit/bus/request'
import { generateKek } from '@tripline/kit/crypto/envelope'
import type { HttpService } from '@tripline/kit/lifecycle'
import { createLog } from '@tripline/kit/telemetry/log'
import {
  createSession,
  endSession,
  getUser,
  registerUser,
  type Tokens,
  type User,
  verifyEmail,
} from '@tripline/proto/auth-request'
import { SessionId } from '@tripline/proto/id'
import { nats } from '@tripline/testkit/nats'
import { postgres } from '@tripline/testkit/postgres'
import { smtp as startSmtp, type TestSmtp } from '@tripline/testkit/smtp'
import { decodeJwt } from 'jose'
import { startAuth } from '../src/app.ts'
import { Config } from '../src/config.ts'
import type { HashCost } from '../src/crypto/password.ts'

export const password = 'correct horse battery staple'

/** Auth on a bus and a database of its own, asked as the gateway asks it. */
export interface AuthFixture {
  gateway: Bus
  keys: Bus
  smtp: TestSmtp
  databaseUrl: string
  kek: string
  /** Every line that auth has logged. */
  lines: string[]
  /** Moves auth's clock forward. */
  pass: (ms: number) => void
  /** Starts one more replica. */
  start: (settings?: Record<string, unknown>) => Promise<HttpService>
  stop: () => Promise<void>
}

/** Cost of hashes, next to none, for tests that are not about it. */
const leastCost: HashCost = { memoryCost: 64, timeCost: 1, parallelism: 1 }

export async function authFixture(hashCost = leastCost): Promise<AuthFixture> {
  const migrations = path.join(import.meta.dirname, '../migrations')
  const [bus, database, smtp] = await Promise.all([
    nats(),
    postgres({ schema: 'auth', migrations }),
    startSmtp(),
  ])
  const lines: string[] = []
  const log = createLog('auth', 'trace', { write: (line) => lines.push(line) })
  const kek = generateKek('test')
  let passedMs = 0
  const started: HttpService[] = []
  const start = async (settings = {}): Promise<HttpService> => {
    const config = Config.parse({
      NATS_URL: bus.url,
      NATS_NKEY_SEED: bus.seed('auth'),
      DATABASE_URL: database.url,
      KEK: kek,
      PUBLIC_URL: 'https://tripline.example/',
      SMTP_URL: smtp.url,
      TRIPLINE_MODE: 'local',
      ...settings,
    })
    const replica = await startAuth(config, { log, now: () => Date.now() + passedMs, hashCost })
    started.push(replica)
    return replica
  }
  const stop = async (): Promise<void> => {
    await Promise.all(started.map(async (replica) => await replica.stop()))
    await Promise.all([bus.stop(), database.stop(), smtp.stop()])
  }
  const pass = (ms: number): void => {
    passedMs += ms
  }
  return {
    gateway: await bus.connect('gateway'),
    keys: await bus.connect('keys'),
    smtp,
    databaseUrl: database.url,
    kek,
    lines,
    pass,
    start,
    stop,
  }
}

let registered = 0

/** Returns the fields of a registration: the given ones, and the rest made up. */
export function registration(given: Partial<User> = {}) {
  const email = given.email ?? `trader-${registered++}@example.com`
  return {
    firstName: 'Ada',
    lastName: 'Byron',
    country: 'Italy',
    username: '',
    password,
    address: '203.0.113.1',
    ...given,
    email,
  }
}

/** A new user whose email is verified, with what is given and the rest made up. */
export async function register(auth: AuthFixture, given: Partial<User> = {}): Promise<User> {
  const { email, id } = await sendRequest(auth.gateway, registerUser, registration(given))
  await sendRequest(auth.gateway, verifyEmail, { token: await mailedToken(auth, email), password })
  const { accessToken } = await login(auth.gateway, email)
  const sessionId = SessionId.parse(decodeJwt(accessToken)['sid'])
  const user = await sendRequest(auth.gateway, getUser, { userId: id, sessionId })
  await sendRequest(auth.gateway, endSession, { userId: id, sessionId })
  return user
}

/** The token of the newest link that was mailed to the address. */
export async function mailedToken(
  auth: Pick<AuthFixture, 'smtp'>,
  address: string,
  page = 'verify-email',
): Promise<string> {
  const link = new RegExp(`/${page}#token=([\\w-]{43})`)
  const { text } = await auth.smtp.mailTo(address, link)
  return link.exec(text)?.[1] ?? ''
}

/** The tokens of a new session. */
export async function login(gateway: Bus, email: string, given: object = {}): Promise<Tokens> {
  return await sendRequest(gateway, createSession, { ...credentials(email), ...given })
}

/** Returns the fields of a login, with the password of all test users. */
export function credentials(email: string) {
  return { email, password, address: '203.0.113.1', userAgent: 'Test/1' }
}

/** The code of the refusal that the request ends in. */
export async function refusal(request: Promise<unknown>): Promise<string> {
  return await request.then(
    () => 'not refused',
    (error: { code?: string }) => error.code ?? String(error),
  )
}
