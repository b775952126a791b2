import { hash, randomBytes, randomUUID } from 'node:crypto'
import { openBucket } from '@tripline/kit/bucket'
import type { Bus } from '@tripline/kit/bus'
import { readSealingKeys, type SealingKey, seal } from '@tripline/kit/seal'
import { BotId, UserId } from '@tripline/proto/id'
import { type BotConfig, credentialContext, type UserConfig } from '@tripline/proto/user-config'
import { localKeys } from '@tripline/testkit/stack/local-keys'
import type { Product } from '@tripline/testkit/stack/product'
import { openAccount } from './paper.ts'

/** A user with a webhook and Paper bots. */
export interface Trader {
  userId: UserId
  webhookPath: string
  /** The labels of the bots; each has an account of its own. */
  labels: readonly string[]
}

/** Writes users with Paper bots into the buckets, as the keys service does; they are nobody's login. */
export async function openTraders(
  product: Product,
  bus: Bus,
  count: number,
  botsEach = 1,
  exchange: BotConfig['exchange'] = 'paper',
): Promise<Trader[]> {
  const [sealingKey] = readSealingKeys(localKeys(product.dataDir).sealPublicKeys)
  if (sealingKey === undefined) throw new Error('There is no key to seal to')
  const traders: Trader[] = []
  for (let index = 0; index < count; index++) {
    traders.push(await openTrader({ product, bus, sealingKey, exchange }, botsEach))
  }
  return traders
}

interface Office {
  product: Product
  bus: Bus
  sealingKey: SealingKey
  exchange: BotConfig['exchange']
}

async function openTrader(office: Office, botsEach: number): Promise<Trader> {
  const token = randomBytes(32).toString('base64url')
  const userId = UserId.parse(randomUUID())
  const bots = Array.from({ length: botsEach }, (_, index) => newBot(index, office.exchange))
  for (const bot of bots) await depositKey(office, userId, bot)
  const config: UserConfig = {
    userId,
    version: 1,
    webhook: {
      tokenHash: hash('sha256', token),
      isActive: true,
      maxRequestsPerMinute: 60,
      alertFormat: 'tripline',
    },
    bots,
  }
  await (await openBucket(office.bus, 'config')).put(userId, JSON.stringify(config))
  return { userId, webhookPath: `/webhook/${token}`, labels: bots.map(({ label }) => label) }
}

function newBot(index: number, exchange: BotConfig['exchange']): BotConfig {
  return {
    id: BotId.parse(randomUUID()),
    label: index === 0 ? 'MyBot' : `MyBot${index + 1}`,
    exchange,
    isTestnet: true,
    marketType: 'futures',
    tradingState: 'active',
    maxEntryAgeS: 600,
    exitRetryS: 600,
  }
}

/** Opens an account at the paper exchange and leaves its key where executors look for it. */
async function depositKey(
  { product, bus, sealingKey }: Office,
  userId: UserId,
  bot: BotConfig,
): Promise<void> {
  const { id: botId, exchange, isTestnet } = bot
  const context = credentialContext({ userId, botId, exchange, isTestnet })
  const sealed = seal(sealingKey, JSON.stringify(await openAccount(product.urls.paper)), context)
  const credentials = await openBucket(bus, 'credentials')
  await credentials.put(botId, JSON.stringify({ userId, botId, sealed }))
}
