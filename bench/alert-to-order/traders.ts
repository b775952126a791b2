import type { Bus } from '@tripline/kit/bus/bus'
import type { BotConfig } from '@tripline/proto/user-config'
import { crowdTargetOf, type Member, newBot, openMember } from '@tripline/testkit/people/crowd'
import type { Product } from '@tripline/testkit/stack/product'

/** A user with a webhook and bots called MyBot, MyBot2 and so on. */
export interface Trader extends Pick<Member, 'userId' | 'labels'> {
  webhookPath: string
}

/** A trader and the keys of its bots' accounts. */
interface KeyedTrader extends Trader, Pick<Member, 'apiKeys'> {}

/** Writes users with Paper bots into the buckets, as the keys service does; they are nobody's login. */
export async function openTraders(
  product: Product,
  bus: Bus,
  count: number,
  botsEach = 1,
  exchange: BotConfig['exchange'] = 'paper',
): Promise<KeyedTrader[]> {
  const traders: KeyedTrader[] = []
  for (let index = 0; index < count; index++) {
    const bots = Array.from({ length: botsEach }, (_, bot) =>
      newBot(bot === 0 ? 'MyBot' : `MyBot${bot + 1}`, { exchange, isTestnet: true }),
    )
    const { webhookUrl, ...member } = await openMember(crowdTargetOf(product), bus, bots)
    traders.push({ ...member, webhookPath: new URL(webhookUrl).pathname })
  }
  return traders
}
