import { sendRequest, serve } from '@tripline/kit/bus/request'
import { now } from '@tripline/kit/time/clock'
import { testKey } from '@tripline/proto/executor-request'
import { testBot } from '@tripline/proto/key-request'
import type { Deps } from '../deps.ts'
import { refuseUnknownBot } from '../refuse.ts'
import { findBotWithSecret, setLastTest } from '../store/bot.ts'

// Less than the caller waits, and more than the executor takes at most.
const testPatienceMs = 12_000

/** Serves `keys.bot.test`; the executor does it, since nobody else can open the credentials. */
export function serveTestBot({ bus, db }: Deps): () => void {
  return serve(bus, testBot, async ({ userId, botId }) => {
    const bot = (await findBotWithSecret(db, userId, botId)) ?? refuseUnknownBot()
    const test = await sendRequest(bus, testKey, { userId, botId, ...bot }, { timeoutMs: testPatienceMs })
    await setLastTest(db, userId, botId, { ...test, testedAt: new Date(now()).toISOString() })
    return test
  })
}
