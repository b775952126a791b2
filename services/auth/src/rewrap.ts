import { readKeks } from '@tripline/kit/crypto/envelope'
import { rewrapAll } from '@tripline/kit/crypto/rewrap'
import { openDatabase } from '@tripline/kit/postgres'
import type { Log } from '@tripline/kit/telemetry/log'
import type { Config } from './config.ts'
import { seedContext } from './crypto/refresh-token.ts'
import { keyContext } from './crypto/signing-key.ts'
import type { Tables } from './store/database.ts'
import {
  listKeyEnvelopes,
  listSeedEnvelopes,
  replaceKeyEnvelope,
  replaceSeedEnvelope,
} from './store/envelope.ts'

/** Brings sessions and signing keys under the first KEK, so that the others can be taken away; auth may run meanwhile. */
export async function rewrapSecrets(config: Pick<Config, 'DATABASE_URL' | 'KEK'>, log: Log): Promise<void> {
  const db = openDatabase<Tables>(config.DATABASE_URL, 'auth', log)
  const keks = readKeks(config.KEK)
  try {
    const sessions = await rewrapAll(keks, {
      list: async (after) => await listSeedEnvelopes(db, after),
      replace: async (id, from, to) => await replaceSeedEnvelope(db, id, from, to),
      contextOf: seedContext,
    })
    const signingKeys = await rewrapAll(keks, {
      list: async (after) => await listKeyEnvelopes(db, after),
      replace: async (id, from, to) => await replaceKeyEnvelope(db, id, from, to),
      contextOf: keyContext,
    })
    log.info({ sessions, signingKeys }, 'secrets are under the first KEK')
    const unopened = sessions.unopened + signingKeys.unopened
    if (unopened > 0) throw new Error(`${unopened} sessions or signing keys open with none of these KEKs`)
  } finally {
    await db.destroy()
  }
}
