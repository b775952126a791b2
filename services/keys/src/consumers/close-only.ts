import { serve } from '@tripline/kit/bus/request'
import { RefusedError } from '@tripline/kit/refused-error'
import type { BotId, UserId } from '@tripline/proto/id'
import {
  createCloseOnly,
  deleteCloseOnly,
  getCloseOnly,
  regenerateCloseOnly,
} from '@tripline/proto/key-request'
import { closeOnlyContext, newWebhookToken, openWebhookToken } from '../crypto/webhook-token.ts'
import type { Deps } from '../deps.ts'
import { publishUser } from '../publish.ts'
import { refuseUnknownBot } from '../refuse.ts'
import { findBot } from '../store/bot.ts'
import { changeUser } from '../store/change-user.ts'
import {
  findCloseOnlyToken,
  insertCloseOnlyToken,
  removeCloseOnlyToken,
  setCloseOnlyToken,
} from '../store/close-only-address.ts'
import type { Db } from '../store/database.ts'

/** Serves `keys.close-only.get`. */
export function serveGetCloseOnly({ bus, db, keks }: Deps): () => void {
  return serve(bus, getCloseOnly, async ({ userId, botId }) => {
    if ((await findBot(db, userId, botId)) === undefined) refuseUnknownBot()
    const stored = await findCloseOnlyToken(db, botId)
    return { token: stored ? openWebhookToken(keks, stored.tokenEnvelope, closeOnlyContext(botId)) : null }
  })
}

/** Serves `keys.close-only.create`. */
export function serveCreateCloseOnly(deps: Deps): () => void {
  return serve(deps.bus, createCloseOnly, async ({ userId, botId }) => {
    const token = newWebhookToken(deps.keks, closeOnlyContext(botId))
    await changeAddress(deps, userId, botId, async (changing) => {
      if (await insertCloseOnlyToken(changing, botId, token)) return
      throw new RefusedError('conflict', 'This API key has a close-only address already')
    })
    return { token: openWebhookToken(deps.keks, token.tokenEnvelope, closeOnlyContext(botId)) }
  })
}

/** Serves `keys.close-only.regenerate`: once it is answered, nobody knows the old token. */
export function serveRegenerateCloseOnly(deps: Deps): () => void {
  return serve(deps.bus, regenerateCloseOnly, async ({ userId, botId }) => {
    const token = newWebhookToken(deps.keks, closeOnlyContext(botId))
    await changeAddress(deps, userId, botId, async (changing) => {
      if (!(await setCloseOnlyToken(changing, botId, token))) refuseNoAddress()
    })
    return { token: openWebhookToken(deps.keks, token.tokenEnvelope, closeOnlyContext(botId)) }
  })
}

/** Serves `keys.close-only.delete`: once it is answered, nobody knows the token. */
export function serveDeleteCloseOnly(deps: Deps): () => void {
  return serve(deps.bus, deleteCloseOnly, async ({ userId, botId }) => {
    await changeAddress(deps, userId, botId, async (changing) => {
      if (!(await removeCloseOnlyToken(changing, botId))) refuseNoAddress()
    })
    return {}
  })
}

async function changeAddress(
  deps: Deps,
  userId: UserId,
  botId: BotId,
  change: (db: Db) => Promise<void>,
): Promise<void> {
  await changeUser(deps.db, userId, async (changing) => {
    if ((await findBot(changing, userId, botId)) === undefined) refuseUnknownBot()
    await change(changing)
  })
  await publishUser(deps, userId)
}

function refuseNoAddress(): never {
  throw new RefusedError('not_found', 'This API key has no close-only address')
}
