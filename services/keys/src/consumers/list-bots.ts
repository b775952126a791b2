import { serve } from '@tripline/kit/bus/request'
import { listBots } from '@tripline/proto/key-request'
import type { Deps } from '../deps.ts'
import { listBots as listStoredBots } from '../store/bot.ts'

/** Serves `keys.bot.list`. */
export function serveListBots({ bus, db }: Deps): () => void {
  return serve(bus, listBots, async ({ userId }) => ({ bots: await listStoredBots(db, userId) }))
}
