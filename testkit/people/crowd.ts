import { hash, randomBytes, randomUUID } from 'node:crypto'
import { openBucket } from '@tripline/kit/bucket'
import { type Bus, connectBus } from '@tripline/kit/bus'
import { readSealingKeys, type SealingKey, seal } from '@tripline/kit/seal'
import { untilAnswered } from '@tripline/kit/until-answered'
import type { BotId, UserId } from '@tripline/proto/id'
import { type BotConfig, credentialContext, type UserConfig } from '@tripline/proto/user-config'
import { z } from 'zod'
import { testLog } from '../log.ts'
import { localKeys } from '../stack/local-keys.ts'
import type { Product } from '../stack/product.ts'

/** A user with bots, known to intake and executors as keys would have told them; nobody can log in. */
export interface Member {
  userId: UserId
  webhookUrl: string
  /** Labels of the bots; each has an account of its own. */
  labels: string[]
  botIds: BotId[]
  /** The key of each of these accounts. */
  apiKeys: string[]
}

/** The bus of a product as its operator; the caller closes it. */
export async function operatorBus({ dataDir, servers }: Product): Promise<Bus> {
  const seed = localKeys(dataDir).busSeeds.ops
  return await connectBus({ url: servers.nats.url, user: 'ops', seed, log: testLog('ops') })
}

/** The target of a crowd's trading. */
export interface CrowdTarget {
  urls: { paper: string; intake: string }
  /** The keys that exchange credentials are sealed to. */
  sealPublicKeys: string
}

/** The place that a product is. */
export function crowdTargetOf({ urls, dataDir }: Product): CrowdTarget {
  return { urls, sealPublicKeys: localKeys(dataDir).sealPublicKeys }
}

/** Makes users with this many Paper bots each. */
export async function openCrowd(
  target: CrowdTarget,
  bus: Bus,
  users: number,
  bots: number,
): Promise<Member[]> {
  const [sealingKey] = readSealingKeys(target.sealPublicKeys)
  if (sealingKey === undefined) throw new Error('There is no key to seal to')
  const one = async (): Promise<Member> => await openMember(target.urls, bus, sealingKey, bots)
  return await Promise.all(Array.from({ length: users }, one))
}

async function openMember(
  urls: CrowdTarget['urls'],
  bus: Bus,
  key: SealingKey,
  count: number,
): Promise<Member> {
  const userId = randomUUID() as UserId
  const token = randomBytes(24).toString('base64url')
  const bots = Array.from({ length: count }, (_, index) => paperBot(`Bot${index}`))
  const apiKeys: string[] = []
  const credentials = await openBucket(bus, 'credentials')
  for (const { id: botId, exchange, isTestnet } of bots) {
    const context = credentialContext({ userId, botId, exchange, isTestnet })
    const account = await openAccount(urls.paper)
    apiKeys.push(account.apiKey)
    const sealed = seal(key, JSON.stringify(account), context)
    await untilAnswered(async () => await credentials.put(botId, JSON.stringify({ userId, botId, sealed })))
  }
  const tokenHash = hash('sha256', token)
  const settings = { isActive: true, maxRequestsPerMinute: 60, alertFormat: 'tripline' } as const
  const config: UserConfig = { userId, version: 1, webhook: { tokenHash, ...settings }, bots }
  const configs = await openBucket(bus, 'config')
  await untilAnswered(async () => await configs.put(userId, JSON.stringify(config)))
  const webhookUrl = new URL(`/webhook/${token}`, urls.intake).href
  const labels = bots.map(({ label }) => label)
  return { userId, webhookUrl, labels, botIds: bots.map(({ id }) => id), apiKeys }
}

function paperBot(label: string): BotConfig {
  return {
    id: randomUUID() as BotId,
    label,
    exchange: 'paper',
    marketType: 'futures',
    isTestnet: false,
    tradingState: 'active',
    maxEntryAgeS: 600,
    exitRetryS: 600,
  }
}

async function openAccount(paperUrl: string): Promise<{ apiKey: string; secret: string }> {
  const response = await fetch(`${paperUrl}/control/accounts`, { method: 'POST' })
  return z.object({ apiKey: z.string(), secret: z.string() }).parse(await response.json())
}
