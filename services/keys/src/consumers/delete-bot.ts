import { serve } from '@tripline/kit/bus/request'
import { deleteBot } from '@tripline/proto/key-request'
import type { Deps } from '../deps.ts'
import { publishUser } from '../publish.ts'
import { refuseUnknownBot } from '../refuse.ts'
import { removeBot } from '../store/bot.ts'
import { changeUser } from '../store/change-user.ts'

/** Serves `keys.bot.delete`: once it is answered, nobody knows the bot or has its credentials. */
export function serveDeleteBot(deps: Deps): () => void {
  const { bus, db } = deps
  return serve(bus, deleteBot, async ({ userId, botId }) => {
    await changeUser(db, userId, async (changing) => {
      if (!(await removeBot(changing, userId, botId))) refuseUnknownBot()
    })
    await publishUser(deps, userId)
    return {}
  })
}
