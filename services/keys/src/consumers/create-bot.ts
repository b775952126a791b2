import { sendRequest, serve } from '@tripline/kit/bus/request'
import { RefusedError } from '@tripline/kit/refused-error'
import { now } from '@tripline/kit/time/clock'
import { openPaperAccount } from '@tripline/proto/executor-request'
import type { UserId } from '@tripline/proto/id'
import { type Bot, createBot } from '@tripline/proto/key-request'
import type { Deps } from '../deps.ts'
import { faultsOfNewBot } from '../domain/new-bot.ts'
import { publishUser } from '../publish.ts'
import { refuseFaults, refuseLabel } from '../refuse.ts'
import { hasLabel, insertBot, listBots } from '../store/bot.ts'
import { changeUser } from '../store/change-user.ts'
import { countPaperAccount } from '../store/paper-account.ts'
import { ensureWebhook } from '../webhook.ts'

// Less than the caller waits.
const openingPatienceMs = 2000

/** Serves `keys.bot.create`. */
export function serveCreateBot(deps: Deps): () => void {
  const { bus, db } = deps
  return serve(bus, createBot, async ({ userId, bot: wanted, credentials }) => {
    refuseFaults(faultsOfNewBot({ ...wanted, hasCredentials: credentials !== null }, deps))
    // Looked up before an account is opened for nothing; the database has the last word.
    if (await hasLabel(db, userId, wanted.label)) refuseLabel()
    const { sealed, apiKeyPreview } = credentials ?? (await openAccount(deps, userId, wanted))
    const bot = { ...wanted, apiKeyPreview, createdAt: new Date(now()).toISOString(), lastTest: null }
    await keepBot(deps, userId, bot, sealed)
    await publishUser(deps, userId)
    return bot
  })
}

/** Opens an account on the paper exchange, which keeps it for ever: a user may have so many a day. */
async function openAccount(
  { bus, db, paperAccountsPerDay }: Deps,
  userId: UserId,
  { id: botId, isTestnet }: Pick<Bot, 'id' | 'isTestnet'>,
): Promise<{ sealed: string; apiKeyPreview: string }> {
  if (!(await countPaperAccount(db, userId, now(), paperAccountsPerDay))) {
    const text = `At most ${paperAccountsPerDay} Paper accounts can be opened in 24 hours; resetting one needs no other`
    throw new RefusedError('rate_limited', text)
  }
  const timeoutMs = openingPatienceMs
  return await sendRequest(bus, openPaperAccount, { userId, botId, isTestnet }, { timeoutMs })
}

async function keepBot(
  { db, keks, maxBotsPerUser }: Deps,
  userId: UserId,
  bot: Bot,
  sealed: string,
): Promise<void> {
  await changeUser(db, userId, async (changing) => {
    await ensureWebhook(changing, keks, userId)
    if ((await listBots(changing, userId)).length >= maxBotsPerUser) {
      throw new RefusedError('conflict', `There can be at most ${maxBotsPerUser} API keys`)
    }
    if (!(await insertBot(changing, userId, bot, sealed))) refuseLabel()
  })
}
