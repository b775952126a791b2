import { generateSealingPair } from '@tripline/kit/crypto/seal'
import type { HttpService } from '@tripline/kit/lifecycle'
import type { User } from '@tripline/proto/auth-request'
import { SessionId, UserId } from '@tripline/proto/id'
import { testLog } from '@tripline/testkit/log'
import { nats, type TestNats } from '@tripline/testkit/nats'
import { startGateway } from '../src/app.ts'
import { Config } from '../src/config.ts'
import { accessToken, type Session, tokenKey } from './access-tokens.ts'
import { type Peers, startPeers } from './peers.ts'

export const sealingPair = generateSealingPair('executor-test')
export const notifierPair = generateSealingPair('notifier-test')

export const ada: Session = {
  sub: UserId.parse('0193f5a0-0000-7000-8000-00000000ada0'),
  sid: SessionId.parse('0193f5a0-0000-7000-8000-00000000ada1'),
}
export const bob: Session = {
  sub: UserId.parse('0193f5a0-0000-7000-8000-00000000b0b0'),
  sid: SessionId.parse('0193f5a0-0000-7000-8000-00000000b0b1'),
}

export interface Call {
  method?: string
  token?: string | undefined
  body?: unknown
  headers?: Record<string, string>
}

export interface Answer {
  status: number
  headers: Headers
  body: unknown
}

/** A running gateway on a real bus, with the other services played over it. */
export interface GatewayFixture {
  nats: TestNats
  peers: Peers
  url: string
  token: (session: Session) => string
  call: (path: string, call?: Call) => Promise<Answer>
  /** Another gateway beside this one, on the same bus. */
  startReplica: () => Promise<{ url: string; stop: () => Promise<void> }>
  stopGateway: () => Promise<void>
  stop: () => Promise<void>
}

export async function startFixture(settings: Record<string, string> = {}): Promise<GatewayFixture> {
  const bus = await nats()
  try {
    return await startOn(bus, settings)
  } catch (error) {
    await bus.stop()
    throw error
  }
}

async function startOn(bus: TestNats, settings: Record<string, string>): Promise<GatewayFixture> {
  const peers = await startPeers(bus)
  const key = tokenKey('key-1')
  peers.signingKeys.push(key)
  for (const { sub } of [ada, bob]) peers.users.set(sub, userOf(sub))
  const start = async (): Promise<HttpService> =>
    await startGateway(
      Config.parse({
        PORT: '0',
        NATS_URL: bus.url,
        NATS_NKEY_SEED: bus.seed('gateway'),
        PUBLIC_URL: 'https://tripline.example/',
        INTAKE_URL: 'http://127.0.0.1:9',
        SEAL_PUBLIC_KEYS: sealingPair.publicText,
        NOTIFIER_SEAL_PUBLIC_KEYS: notifierPair.publicText,
        UNITS_PER_USER_MINUTE: '1000000',
        ...settings,
      }),
      { log: testLog('gateway') },
    )
  const gateway = await start()
  const url = `http://127.0.0.1:${gateway.port}`
  const stopGateway = stopOnce(gateway)
  return {
    nats: bus,
    peers,
    url,
    token: (session) => accessToken(key, session),
    call: async (path, call = {}) => await callApi(`${url}${path}`, call),
    startReplica: async () => {
      const replica = await start()
      return { url: `http://127.0.0.1:${replica.port}`, stop: replica.stop }
    },
    stopGateway,
    stop: async () => {
      await stopGateway()
      await bus.stop()
    },
  }
}

function userOf(id: UserId): User {
  return {
    id,
    email: `${id}@example.com`,
    username: 'ada',
    firstName: 'Ada',
    lastName: 'Lovelace',
    country: 'United Kingdom',
    createdAt: '2026-11-21T12:00:00.000Z',
  }
}

async function callApi(url: string, { method, token, body, headers }: Call): Promise<Answer> {
  const answer = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined || typeof body === 'string' ? (body ?? null) : JSON.stringify(body),
  })
  const text = await answer.text()
  const isJson = text !== '' && answer.headers.get('content-type')?.includes('json') === true
  return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text }
}

function stopOnce(service: HttpService): () => Promise<void> {
  let stopping: Promise<void> | undefined
  return async () => {
    stopping ??= service.stop()
    await stopping
  }
}
