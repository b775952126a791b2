import { serve } from '@tripline/kit/bus/request'
import { type Bot, updateBot } from '@tripline/proto/key-request'
import type { z } from 'zod'
import type { Deps } from '../deps.ts'
import { faultsOfMarket } from '../domain/new-bot.ts'
import { publishUser } from '../publish.ts'
import { refuseFaults, refuseLabel, refuseUnknownBot } from '../refuse.ts'
import { findBot, hasLabel, setBot } from '../store/bot.ts'
import { changeUser } from '../store/change-user.ts'

type Changes = Omit<z.output<typeof updateBot.asked>, 'userId' | 'botId'>

/** Serves `keys.bot.update`. */
export function serveUpdateBot(deps: Deps): () => void {
  const { bus, db } = deps
  return serve(bus, updateBot, async ({ userId, botId, ...changes }) => {
    const bot = await changeUser(db, userId, async (changing) => {
      const changed = withChanges((await findBot(changing, userId, botId)) ?? refuseUnknownBot(), changes)
      refuseFaults(faultsOfMarket(changed, deps))
      if (await hasLabel(changing, userId, changed.label, botId)) refuseLabel()
      await setBot(changing, userId, changed)
      return changed
    })
    await publishUser(deps, userId)
    return bot
  })
}

function withChanges(stored: Bot, changes: Changes): Bot {
  return {
    ...stored,
    label: changes.label ?? stored.label,
    marketType: changes.marketType ?? stored.marketType,
    notifyOnTrade: changes.notifyOnTrade ?? stored.notifyOnTrade,
    notifyOnError: changes.notifyOnError ?? stored.notifyOnError,
    notifyOnFill: changes.notifyOnFill ?? stored.notifyOnFill,
  }
}
