import type { Bus } from '@tripline/kit/bus'
import { RefusedError } from '@tripline/kit/refused-error'
import { answer } from '@tripline/kit/request'
import type { User } from '@tripline/proto/auth-request'
import { type Execution, listExecutions } from '@tripline/proto/history-request'
import type { SessionId, UserId } from '@tripline/proto/id'
import {
  type Bot,
  createBot,
  getWebhook,
  listBots,
  resetBot,
  updateWebhook,
  type Webhook,
} from '@tripline/proto/key-request'
import type { TestNats } from '@tripline/testkit/nats'
import type { TokenKey } from './access-tokens.ts'
import { playAuth } from './auth-peer.ts'

/** What the other services know, and what the gateway asked them. */
export interface Peers {
  signingKeys: TokenKey[]
  users: Map<UserId, User>
  endedSessions: Set<SessionId>
  bots: Map<UserId, Bot[]>
  webhooks: Map<UserId, Webhook>
  executions: Map<UserId, Execution[]>
  asked: { subject: string; value: unknown }[]
  /** The executor's connection, over which events are told. */
  executor: Bus
  /** Stops a service's answers. */
  leave: (service: 'auth' | 'keys' | 'history') => void
}

/** Plays auth, keys and history over the real bus. */
export async function startPeers(nats: TestNats): Promise<Peers> {
  const [auth, keys, history, executor] = await Promise.all([
    nats.connect('auth'),
    nats.connect('keys'),
    nats.connect('history'),
    nats.connect('executor'),
  ])
  const known: Omit<Peers, 'leave' | 'executor'> = {
    signingKeys: [],
    users: new Map(),
    endedSessions: new Set(),
    bots: new Map(),
    webhooks: new Map(),
    executions: new Map(),
    asked: [],
  }
  const stops = {
    auth: playAuth(auth, known),
    keys: playKeys(keys, known),
    history: playHistory(history, known),
  }
  await Promise.all([auth, keys, history].map(async (bus) => await bus.connection.flush()))
  return {
    ...known,
    executor,
    leave: (service) => {
      for (const stop of stops[service]) stop()
    },
  }
}

type Known = Omit<Peers, 'leave' | 'executor'>

function playKeys(bus: Bus, known: Known): (() => void)[] {
  return [
    answer(bus, listBots, async ({ userId }) => ({ bots: known.bots.get(userId) ?? [] })),
    answer(bus, createBot, async (asked) => {
      known.asked.push({ subject: createBot.subject, value: asked })
      if (asked.bot.label === 'Taken') throw new RefusedError('conflict', 'This label is taken')
      const apiKeyPreview = asked.credentials?.apiKeyPreview ?? 'pape…ount'
      return { ...asked.bot, apiKeyPreview, createdAt: new Date().toISOString() }
    }),
    answer(bus, resetBot, async ({ userId, botId }) => {
      const bot = known.bots.get(userId)?.find(({ id }) => id === botId)
      if (bot === undefined) throw new RefusedError('not_found', 'API key not found')
      if (bot.exchange !== 'paper') throw new RefusedError('conflict', 'Only a Paper account can be reset')
      return {}
    }),
    answer(bus, getWebhook, async ({ userId }) => webhookOf(known, userId)),
    answer(bus, updateWebhook, async ({ userId, ...changes }) => {
      const before = webhookOf(known, userId)
      const { isActive = before.isActive, maxRequestsPerMinute = before.maxRequestsPerMinute } = changes
      const { alertFormat = before.alertFormat } = changes
      const webhook = { ...before, isActive, maxRequestsPerMinute, alertFormat }
      known.webhooks.set(userId, webhook)
      return webhook
    }),
  ]
}

function webhookOf(known: Known, userId: UserId): Webhook {
  const settings = { isActive: true, maxRequestsPerMinute: 10, alertFormat: 'tripline' } as const
  return known.webhooks.get(userId) ?? { token: `token-${userId}`, ...settings }
}

function playHistory(bus: Bus, known: Known): (() => void)[] {
  // Like history, which tells fewer than asked for when they are large.
  const mostInReply = 3
  return [
    answer(bus, listExecutions, async (asked) => {
      known.asked.push({ subject: listExecutions.subject, value: asked })
      const executions = known.executions.get(asked.userId) ?? []
      const end = asked.offset + Math.min(asked.limit, mostInReply)
      return { executions: executions.slice(asked.offset, end), total: executions.length }
    }),
  ]
}
