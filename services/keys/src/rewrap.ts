import { readKeks } from '@tripline/kit/envelope'
import type { Log } from '@tripline/kit/log'
import { openDatabase } from '@tripline/kit/postgres'
import { rewrapAll } from '@tripline/kit/rewrap'
import type { Config } from './config.ts'
import { tokenContext } from './crypto/webhook-token.ts'
import type { Tables } from './store/database.ts'
import { listTokenEnvelopes, replaceTokenEnvelope } from './store/webhook.ts'

/** Brings every webhook token under the first KEK, so that the others can be taken away; the service may run meanwhile. */
export async function rewrapTokens(config: Pick<Config, 'DATABASE_URL' | 'KEK'>, log: Log): Promise<void> {
  const db = openDatabase<Tables>(config.DATABASE_URL, 'keys', log)
  try {
    const counts = await rewrapAll(readKeks(config.KEK), {
      list: async (after) => await listTokenEnvelopes(db, after),
      replace: async (userId, from, to) => await replaceTokenEnvelope(db, userId, from, to),
      contextOf: tokenContext,
    })
    log.info(counts, 'webhook tokens are under the first KEK')
    if (counts.unopened > 0) throw new Error(`${counts.unopened} webhook tokens open with none of these KEKs`)
  } finally {
    await db.destroy()
  }
}
