import { hash, randomBytes, randomUUID } from 'node:crypto'
import { openBucket } from '@tripline/kit/bus/bucket'
import { type Bus, connectBus } from '@tripline/kit/bus/bus'
import { untilAnswered } from '@tripline/kit/bus/until-answered'
import { readSealingKeys, seal } from '@tripline/kit/crypto/seal'
import type { BotId, UserId } from '@tripline/proto/id'
import { type BotConfig, credentialContext, type UserConfig } from '@tripline/proto/user-config'
import { testLog } from '../log.ts'
import { paperControl } from '../paper-control.ts'
import { localKeys } from '../stack/local-keys.ts'
import type { Product } from '../stack/product.ts'

/** A user with bots, known to intake and executors as keys would have published them; nobody can log in. */
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
  const one = async (): Promise<Member> => {
    const own = Array.from({ length: bots }, (_, index) => newBot(`Bot${index}`))
    return await openMember(target, bus, own)
  }
  return await Promise.all(Array.from({ length: users }, one))
}

/** Makes a user with these bots, each of which gets an account of its own. */
export async function openMember(
  { urls, sealPublicKeys }: CrowdTarget,
  bus: Bus,
  bots: readonly BotConfig[],
): Promise<Member> {
  const [sealingKey] = readSealingKeys(sealPublicKeys)
  if (sealingKey === undefined) throw new Error('There is no key to seal to')
  const userId = randomUUID() as UserId
  const token = randomBytes(24).toString('base64url')
  const apiKeys: string[] = []
  const credentials = await openBucket(bus, 'credentials')
  for (const { id: botId, exchange, isTestnet } of bots) {
    const context = credentialContext({ userId, botId, exchange, isTestnet })
    const account = await paperControl(urls.paper).openAccount()
    apiKeys.push(account.apiKey)
    const sealed = seal(sealingKey, JSON.stringify(account), context)
    await untilAnswered(async () => await credentials.put(botId, JSON.stringify({ userId, botId, sealed })))
  }
  const tokenHash = hash('sha256', token)
  const settings = { isActive: true, maxRequestsPerMinute: 60, alertFormat: 'tripline' } as const
  const config: UserConfig = { userId, version: 1, webhook: { tokenHash, ...settings }, bots: [...bots] }
  const configs = await openBucket(bus, 'config')
  await untilAnswered(async () => await configs.put(userId, JSON.stringify(config)))
  const webhookUrl = new URL(`/webhook/${token}`, urls.intake).href
  const labels = bots.map(({ label }) => label)
  return { userId, webhookUrl, labels, botIds: bots.map(({ id }) => id), apiKeys }
}

/** A Paper bot unless another exchange is said; it trades futures. */
export function newBot(label: string, more: Partial<BotConfig> = {}): BotConfig {
  return {
    id: randomUUID() as BotId,
    label,
    exchange: 'paper',
    marketType: 'futures',
    isTestnet: false,
    tradingState: 'active',
    maxEntryAgeS: 600,
    exitRetryS: 600,
    ...more,
  }
}
