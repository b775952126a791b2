import { hash, randomBytes, randomUUID } from 'node:crypto'
import { openBucket } from '@tripline/kit/bucket'
import { connectBus } from '@tripline/kit/bus'
import { createLog } from '@tripline/kit/log'
import { readSealingKeys, type SealingKey, seal } from '@tripline/kit/seal'
import { BotId, UserId } from '@tripline/proto/id'
import { credentialContext, type SealedCredentials, type UserConfig } from '@tripline/proto/user-config'
import { localKeys } from '@tripline/scripts/local-keys'
import type { Product } from '@tripline/scripts/product'
import { openAccount } from './paper.ts'

export const label = 'MyBot'

/** A user with a webhook and one Paper bot. */
export interface Trader {
  webhookPath: string
}

/** Writes users with a Paper bot each into the buckets, as the keys service does; they are nobody's login. */
export async function openTraders(product: Product, count: number): Promise<Trader[]> {
  const keys = localKeys(product.dataDir)
  const [sealingKey] = readSealingKeys(keys.sealPublicKeys)
  if (sealingKey === undefined) throw new Error('There is no key to seal to')
  const log = createLog('bench', 'warn')
  const bus = await connectBus({ url: product.servers.nats.url, user: 'ops', seed: keys.busSeeds.ops, log })
  const [configs, credentials] = [await openBucket(bus, 'config'), await openBucket(bus, 'credentials')]
  const traders: Trader[] = []
  for (let index = 0; index < count; index++) {
    const { trader, config, sealed } = newTrader(sealingKey, await openAccount(product.urls.paper))
    await credentials.put(sealed.botId, JSON.stringify(sealed))
    await configs.put(config.userId, JSON.stringify(config))
    traders.push(trader)
  }
  await bus.close()
  return traders
}

function newTrader(
  sealingKey: SealingKey,
  account: { apiKey: string; secret: string },
): { trader: Trader; config: UserConfig; sealed: SealedCredentials } {
  const token = randomBytes(32).toString('base64url')
  const userId = UserId.parse(randomUUID())
  const botId = BotId.parse(randomUUID())
  const venue = { exchange: 'paper', isTestnet: true } as const
  const bot = {
    id: botId,
    label,
    ...venue,
    marketType: 'futures',
    tradingState: 'active',
    maxEntryAgeS: 60,
  } as const
  const context = credentialContext({ userId, botId, ...venue })
  return {
    trader: { webhookPath: `/webhook/${token}` },
    config: {
      userId,
      version: 1,
      webhook: {
        tokenHash: hash('sha256', token),
        isActive: true,
        maxRequestsPerMinute: 60,
        alertFormat: 'tripline',
      },
      bots: [bot],
    },
    sealed: { userId, botId, sealed: seal(sealingKey, JSON.stringify(account), context) },
  }
}
