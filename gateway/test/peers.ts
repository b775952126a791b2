import type { Bus } from '@tripline/kit/bus'
import { RefusedError } from '@tripline/kit/refused-error'
import { answer } from '@tripline/kit/request'
import type { User } from '@tripline/proto/auth-request'
import type { Execution } from '@tripline/proto/history-request'
import type { SessionId, UserId } from '@tripline/proto/id'
import type { Bot, Webhook } from '@tripline/proto/key-request'
import { getDelivery, type NotificationSettings, sendTestMessage } from '@tripline/proto/notification-request'
import type { TradingState } from '@tripline/proto/user-config'
import type { TestNats } from '@tripline/testkit/nats'
import type { TokenKey } from './access-tokens.ts'
import { playAuth } from './auth-peer.ts'
import { playHistory } from './history-peer.ts'
import { playKeys } from './keys-peer.ts'

/** What the other services know, and what the gateway asked them. */
export interface Peers {
  signingKeys: TokenKey[]
  users: Map<UserId, User>
  endedSessions: Set<SessionId>
  bots: Map<UserId, Bot[]>
  webhooks: Map<UserId, Webhook>
  tradingStates: Map<UserId, TradingState>
  notifications: Map<UserId, NotificationSettings>
  /** Why the last message of a user could not be sent. */
  deliveryErrors: Map<UserId, string>
  executions: Map<UserId, Execution[]>
  asked: { subject: string; value: unknown }[]
  /** The executor's connection, over which events are told. */
  executor: Bus
  /** Stops a service's answers. */
  leave: (service: 'auth' | 'keys' | 'history' | 'notifier') => void
}

/** Plays auth, keys, history and notifier over the real bus. */
export async function startPeers(nats: TestNats): Promise<Peers> {
  const [auth, keys, history, notifier, executor] = await Promise.all([
    nats.connect('auth'),
    nats.connect('keys'),
    nats.connect('history'),
    nats.connect('notifier'),
    nats.connect('executor'),
  ])
  const known: Omit<Peers, 'leave' | 'executor'> = {
    signingKeys: [],
    users: new Map(),
    endedSessions: new Set(),
    bots: new Map(),
    webhooks: new Map(),
    tradingStates: new Map(),
    notifications: new Map(),
    deliveryErrors: new Map(),
    executions: new Map(),
    asked: [],
  }
  const stops = {
    auth: playAuth(auth, known),
    keys: playKeys(keys, known),
    history: playHistory(history, known),
    notifier: playNotifier(notifier, known),
  }
  await Promise.all([auth, keys, history, notifier].map(async (bus) => await bus.connection.flush()))
  return {
    ...known,
    executor,
    leave: (service) => {
      for (const stop of stops[service]) stop()
    },
  }
}

type Known = Omit<Peers, 'leave' | 'executor'>

function playNotifier(bus: Bus, known: Known): (() => void)[] {
  return [
    answer(bus, getDelivery, async ({ userId }) => {
      const lastError = known.deliveryErrors.get(userId) ?? null
      return { lastError, lastErrorAt: lastError === null ? null : '2026-11-21T12:00:00.000Z' }
    }),
    answer(bus, sendTestMessage, async ({ userId }) => {
      if (known.notifications.get(userId)?.hasToken !== true) {
        throw new RefusedError('conflict', 'Telegram notifications are not configured')
      }
      const error = known.deliveryErrors.get(userId) ?? null
      return { success: error === null, error }
    }),
  ]
}
