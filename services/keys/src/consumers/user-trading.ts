import { serve } from '@tripline/kit/bus/request'
import { getUserTrading, updateUserTrading } from '@tripline/proto/key-request'
import type { Deps } from '../deps.ts'
import { publishUser } from '../publish.ts'
import { changeUser } from '../store/change-user.ts'
import { findTradingState, setTradingState } from '../store/trading.ts'
import { ensureWebhook } from '../webhook.ts'

/** Serves `keys.user-trading.get`. */
export function serveGetUserTrading({ bus, db }: Deps): () => void {
  return serve(bus, getUserTrading, async ({ userId }) => ({ state: await findTradingState(db, userId) }))
}

/** Serves `keys.user-trading.update`. */
export function serveUpdateUserTrading(deps: Deps): () => void {
  const { bus, db, keks } = deps
  return serve(bus, updateUserTrading, async ({ userId, state }) => {
    await changeUser(db, userId, async (changing) => {
      await ensureWebhook(changing, keks, userId)
      await setTradingState(changing, userId, state)
    })
    await publishUser(deps, userId)
    return { state }
  })
}
