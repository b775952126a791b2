import { serve } from '@tripline/kit/bus/request'
import { getTrading, type Trading, updateTrading } from '@tripline/proto/key-request'
import type { Deps } from '../deps.ts'
import { publishUser } from '../publish.ts'
import { refuseUnknownBot } from '../refuse.ts'
import { changeUser } from '../store/change-user.ts'
import { findTrading, setTrading } from '../store/trading.ts'

/** Serves `keys.trading.get`. */
export function serveGetTrading({ bus, db }: Deps): () => void {
  return serve(
    bus,
    getTrading,
    async ({ userId, botId }) => (await findTrading(db, userId, botId)) ?? refuseUnknownBot(),
  )
}

/** Serves `keys.trading.update`. */
export function serveUpdateTrading(deps: Deps): () => void {
  const { bus, db } = deps
  return serve(bus, updateTrading, async ({ userId, botId, ...changes }) => {
    const trading = await changeUser(db, userId, async (changing) => {
      const stored = (await findTrading(changing, userId, botId)) ?? refuseUnknownBot()
      const changed: Trading = {
        state: changes.state ?? stored.state,
        maxEntryAgeS: changes.maxEntryAgeS ?? stored.maxEntryAgeS,
        exitRetryS: changes.exitRetryS ?? stored.exitRetryS,
        maxOrderValue: changes.maxOrderValue === undefined ? stored.maxOrderValue : changes.maxOrderValue,
      }
      await setTrading(changing, userId, botId, changed)
      return changed
    })
    await publishUser(deps, userId)
    return trading
  })
}
