import { readKeks } from '@tripline/kit/crypto/envelope'
import { rewrapAll } from '@tripline/kit/crypto/rewrap'
import { openDatabase } from '@tripline/kit/postgres'
import type { Log } from '@tripline/kit/telemetry/log'
import type { Config } from './config.ts'
import { closeOnlyContext, tokenContext } from './crypto/webhook-token.ts'
import { listCloseOnlyEnvelopes, replaceCloseOnlyEnvelope } from './store/close-only-address.ts'
import type { Tables } from './store/database.ts'
import { listTokenEnvelopes, replaceTokenEnvelope } from './store/webhook.ts'

/** Brings every webhook token under the first KEK, so that the others can be taken away; the service may run meanwhile. */
export async function rewrapTokens(config: Pick<Config, 'DATABASE_URL' | 'KEK'>, log: Log): Promise<void> {
  const db = openDatabase<Tables>(config.DATABASE_URL, 'keys', log)
  const keks = readKeks(config.KEK)
  try {
    const ofUsers = await rewrapAll(keks, {
      list: async (after) => await listTokenEnvelopes(db, after),
      replace: async (userId, from, to) => await replaceTokenEnvelope(db, userId, from, to),
      contextOf: tokenContext,
    })
    const ofBots = await rewrapAll(keks, {
      list: async (after) => await listCloseOnlyEnvelopes(db, after),
      replace: async (botId, from, to) => await replaceCloseOnlyEnvelope(db, botId, from, to),
      contextOf: closeOnlyContext,
    })
    const rewrapped = ofUsers.rewrapped + ofBots.rewrapped
    const unopened = ofUsers.unopened + ofBots.unopened
    log.info({ rewrapped, unopened }, 'webhook tokens are under the first KEK')
    if (unopened > 0) throw new Error(`${unopened} webhook tokens open with none of these KEKs`)
  } finally {
    await db.destroy()
  }
}
