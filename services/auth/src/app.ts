import { connectBus, heard } from '@tripline/kit/bus'
import { now } from '@tripline/kit/clock'
import { readKeks } from '@tripline/kit/envelope'
import { buildHttp, listen } from '@tripline/kit/http'
import type { HttpService } from '@tripline/kit/lifecycle'
import { createLog, type Log } from '@tripline/kit/log'
import { openDatabase, watchDatabase } from '@tripline/kit/postgres'
import type { Config } from './config.ts'
import { answerCreateSession } from './consumers/create-session.ts'
import { answerEndSession } from './consumers/end-session.ts'
import { answerGetUser } from './consumers/get-user.ts'
import { answerListSigningKeys } from './consumers/list-signing-keys.ts'
import { answerRefreshSession } from './consumers/refresh-session.ts'
import { answerRegisterUser } from './consumers/register-user.ts'
import { createPasswords } from './crypto/password.ts'
import type { Deps } from './deps.ts'
import type { Tables } from './store/database.ts'

const dayMs = 86_400_000

const consumers = [
  answerRegisterUser,
  answerCreateSession,
  answerRefreshSession,
  answerEndSession,
  answerGetUser,
  answerListSigningKeys,
]

/** Answers the requests of auth until stopped; the port is for the probes. */
export async function startAuth(
  config: Config,
  overrides: { log?: Log; now?: () => number } = {},
): Promise<HttpService> {
  const log = overrides.log ?? createLog('auth', config.LOG_LEVEL)
  const db = openDatabase<Tables>(config.DATABASE_URL, 'auth', log)
  const database = watchDatabase(db, log)
  const bus = await connectBus({ url: config.NATS_URL, user: 'auth', seed: config.NATS_NKEY_SEED, log })
  const deps = await buildDeps(config, { bus, db, log, now: overrides.now ?? now })
  const deafen = consumers.map((answerRequest) => answerRequest(deps))
  await heard(bus)
  const http = buildHttp({ log, bodyLimitBytes: 1024, isReady: () => bus.isConnected() && database.isUp() })
  const server = await listen(http, config.HOST, config.PORT)
  const stop = async (): Promise<void> => {
    for (const stopAnswering of deafen) stopAnswering()
    database.stop()
    await server.stop()
    await db.destroy()
    await bus.close()
  }
  return { port: server.port, stop }
}

async function buildDeps(config: Config, given: Pick<Deps, 'bus' | 'db' | 'log' | 'now'>): Promise<Deps> {
  return {
    ...given,
    keks: readKeks(config.KEK),
    passwords: await createPasswords(),
    accessTokenMs: config.ACCESS_TOKEN_MINUTES * 60_000,
    sessionLimits: {
      idleMs: config.SESSION_IDLE_DAYS * dayMs,
      longestMs: config.SESSION_LONGEST_DAYS * dayMs,
    },
  }
}
