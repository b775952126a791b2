import path from 'node:path'
import type { Bus } from '@tripline/kit/bus'
import { generateKek } from '@tripline/kit/envelope'
import type { HttpService } from '@tripline/kit/lifecycle'
import { createLog } from '@tripline/kit/log'
import { ask } from '@tripline/kit/request'
import { createSession, registerUser, type Tokens, type User } from '@tripline/proto/auth-request'
import { nats } from '@tripline/testkit/nats'
import { postgres } from '@tripline/testkit/postgres'
import { startAuth } from '../src/app.ts'
import { Config } from '../src/config.ts'

export const password = 'correct horse battery staple'

/** Auth on a bus and a database of its own, asked as the gateway asks it. */
export interface AuthFixture {
  gateway: Bus
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

export async function authFixture(): Promise<AuthFixture> {
  const migrations = path.join(import.meta.dirname, '../migrations')
  const [bus, database] = await Promise.all([nats(), postgres({ schema: 'auth', migrations })])
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
      ...settings,
    })
    const replica = await startAuth(config, { log, now: () => Date.now() + passedMs })
    started.push(replica)
    return replica
  }
  const stop = async (): Promise<void> => {
    await Promise.all(started.map(async (replica) => await replica.stop()))
    await Promise.all([bus.stop(), database.stop()])
  }
  const pass = (ms: number): void => {
    passedMs += ms
  }
  return {
    gateway: await bus.connect('gateway'),
    databaseUrl: database.url,
    kek,
    lines,
    pass,
    start,
    stop,
  }
}

let registered = 0

/** A new user, with what is given and the rest made up. */
export async function register(gateway: Bus, given: Partial<User> = {}): Promise<User> {
  const email = given.email ?? `trader-${registered++}@example.com`
  return await ask(gateway, registerUser, {
    firstName: 'Ada',
    lastName: 'Byron',
    country: 'Italy',
    username: '',
    password,
    ...given,
    email,
  })
}

/** The tokens of a new session. */
export async function login(gateway: Bus, email: string): Promise<Tokens> {
  return await ask(gateway, createSession, { email, password })
}

/** The code of the refusal that the request ends in. */
export async function refusal(request: Promise<unknown>): Promise<string> {
  return await request.then(
    () => 'not refused',
    (error: { code?: string }) => error.code ?? String(error),
  )
}
