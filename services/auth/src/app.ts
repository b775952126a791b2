import { connectBus, flush } from '@tripline/kit/bus/bus'
import { readKeks } from '@tripline/kit/crypto/envelope'
import { buildHttp, listen } from '@tripline/kit/http/http'
import type { HttpService } from '@tripline/kit/lifecycle'
import { openDatabase, watchDatabase } from '@tripline/kit/postgres'
import { createLog, type Log } from '@tripline/kit/telemetry/log'
import { now } from '@tripline/kit/time/clock'
import { type Config, mailFrom, throttleLimits } from './config.ts'
import { serveCreateSession } from './consumers/create-session.ts'
import { serveEndOtherSessions, serveEndSession } from './consumers/end-session.ts'
import { serveGetUser } from './consumers/get-user.ts'
import { serveJoinWaitlist } from './consumers/join-waitlist.ts'
import { serveListSessions } from './consumers/list-sessions.ts'
import { serveListSigningKeys } from './consumers/list-signing-keys.ts'
import { serveRefreshSession } from './consumers/refresh-session.ts'
import { serveRegisterUser } from './consumers/register-user.ts'
import { serveRequestPasswordReset } from './consumers/request-password-reset.ts'
import { serveResendVerification } from './consumers/resend-verification.ts'
import { serveResetPassword } from './consumers/reset-password.ts'
import { serveVerifyEmail } from './consumers/verify-email.ts'
import { createPasswords, type HashCost } from './crypto/password.ts'
import type { Deps } from './deps.ts'
import { startOutbox } from './mail/outbox.ts'
import { smtpSender } from './mail/smtp.ts'
import { type AuthMetrics, createAuthMetrics } from './metrics.ts'
import type { Tables } from './store/database.ts'
import { startSweeper } from './sweeper.ts'
import { startWebhookRenewals } from './webhook-renewals.ts'

const minuteMs = 60_000
const dayMs = 86_400_000

// Verifiers ask for keys at least each ten minutes.
const keyLeadMs = 15 * minuteMs
// A verifier's clock may be behind ours.
const clockSlackMs = minuteMs

const consumers = [
  serveRegisterUser,
  serveVerifyEmail,
  serveResendVerification,
  serveRequestPasswordReset,
  serveResetPassword,
  serveCreateSession,
  serveRefreshSession,
  serveListSessions,
  serveEndSession,
  serveEndOtherSessions,
  serveGetUser,
  serveJoinWaitlist,
  serveListSigningKeys,
]

/** Serves the requests of auth and sends its mails until stopped; the port is for the probes. */
export async function startAuth(
  config: Config,
  overrides: { log?: Log; now?: () => number; hashCost?: HashCost } = {},
): Promise<HttpService> {
  const log = overrides.log ?? createLog('auth', config.LOG_LEVEL)
  const db = openDatabase<Tables>(config.DATABASE_URL, 'auth', log)
  const database = watchDatabase(db, log)
  const metrics = createAuthMetrics()
  metrics.database.follow(() => [[{}, database.isUp() ? 1 : 0]])
  const { NATS_URL: url, NATS_NKEY_SEED: seed } = config
  const bus = await connectBus({ url, user: 'auth', seed, log, metrics: metrics.bus })
  const passwords = await createPasswords(overrides.hashCost)
  const deps = await buildDeps(config, { bus, db, log, passwords, now: overrides.now ?? now })
  const subscriptions = consumers.map((answerRequest) => answerRequest(deps))
  await flush(bus)
  const background = startBackground(config, deps, metrics)
  const isReady = (): boolean => bus.isReady() && database.isUp()
  const { isAlive } = bus
  const http = buildHttp({ log, bodyLimitBytes: 1024, isReady, isAlive, metrics: metrics.metrics })
  const server = await listen(http, config.HOST, config.PORT)
  const stop = async (): Promise<void> => {
    for (const unsubscribe of subscriptions) unsubscribe()
    await Promise.all(background.map(async (service) => await service.stop()))
    database.stop()
    await server.stop()
    await db.destroy()
    await bus.close()
  }
  return { port: server.port, stop }
}

function startBackground(config: Config, deps: Deps, { mails }: AuthMetrics) {
  const { PUBLIC_URL: publicUrl, CONTACT_EMAIL: contactEmail } = config
  const frame = { publicUrl, contactEmail }
  const sendMail = smtpSender(config.SMTP_URL, mailFrom(config))
  const send: typeof sendMail = async (mail) => {
    const sending = await sendMail(mail)
    mails.add({ outcome: sending.outcome })
    return sending
  }
  return [startOutbox({ ...deps, frame, send }), startWebhookRenewals(deps), startSweeper(deps)]
}

async function buildDeps(
  config: Config,
  given: Pick<Deps, 'bus' | 'db' | 'log' | 'now' | 'passwords'>,
): Promise<Deps> {
  const accessTokenMs = config.ACCESS_TOKEN_MINUTES * minuteMs
  return {
    ...given,
    keks: readKeks(config.KEK),
    accessTokenMs,
    keyRotation: {
      everyMs: config.SIGNING_KEY_DAYS * dayMs,
      leadMs: keyLeadMs,
      tokenLifeMs: accessTokenMs + clockSlackMs,
    },
    sessionLimits: {
      idleMs: config.SESSION_IDLE_DAYS * dayMs,
      longestMs: config.SESSION_LONGEST_DAYS * dayMs,
    },
    throttleLimits: throttleLimits(config),
  }
}
