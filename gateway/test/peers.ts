import type { Bus } from '@tripline/kit/bus/bus'
import type { TestNats } from '@tripline/testkit/nats'
import { playAuth } from './auth-peer.ts'
import { playHistory } from './history-peer.ts'
import { playKeys } from './keys-peer.ts'
import type { Known } from './known.ts'
import { playNotifier } from './notifier-peer.ts'

/** The services that are played, what they know and what they were asked. */
export interface Peers extends Known {
  /** The executor's connection, over which events are published. */
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
  const known: Known = {
    signingKeys: [],
    users: new Map(),
    endedSessions: new Set(),
    bots: new Map(),
    webhooks: new Map(),
    closeOnly: new Map(),
    tradingStates: new Map(),
    notifications: new Map(),
    deliveryErrors: new Map(),
    executions: new Map(),
    figures: new Map(),
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
