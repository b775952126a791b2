import { busSettings, commonSettings, doorSettings, TrustedProxies } from '@tripline/kit/config'
import { traceSettings } from '@tripline/kit/telemetry/trace'
import { z } from 'zod'

/** A JSON object in a text; what is in it is checked by what follows. */
const JsonText = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    context.addIssue({ code: 'custom', message: 'is not JSON' })
    return z.NEVER
  }
})

export const Config = z.object({
  ...commonSettings,
  ...busSettings,
  ...doorSettings,
  ...traceSettings,
  PORT: commonSettings.PORT.default(8080),
  /** The port of metrics, apart from the one for everybody; without it they are not served. */
  METRICS_PORT: commonSettings.PORT.unwrap().optional(),
  PUBLIC_URL: z.url().transform((url) => url.replace(/\/+$/, '')),
  INTAKE_URL: z.url({ protocol: /^http$/ }),
  /** The addresses that exchanges see us come from, with commas between them. */
  EGRESS_ADDRESSES: z.string().optional(),
  SEAL_PUBLIC_KEYS: z.string().min(1),
  /** The keys that bot tokens are sealed to, the key to use first. */
  NOTIFIER_SEAL_PUBLIC_KEYS: z.string().min(1),
  /** The built web app; without it only the API is served. */
  WEB_DIR: z.string().optional(),
  /** The page at `/`: the landing page, or one that has little more than the waitlist. */
  FRONT_PAGE: z.enum(['landing', 'teaser']).default('landing'),
  /** Shown on the pages for visitors; without them the links are not there. */
  CONTACT_EMAIL: z.email().optional(),
  COMMUNITY_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** The setting of the executor for where bots of Binance and Bybit trade; `paper` is marked on every screen. */
  TRIPLINE_VENUES: z.enum(['live', 'paper']).default('live'),
  /** Whether keys of OKX can be linked, which is tried on its documentation and on the paper exchange alone. */
  OKX: z.enum(['on', 'off']).default('off'),
  /** The address at which a local mail server lists its mails; read in local mode only. */
  MAILBOX_URL: z.url().optional(),
  TRUST_PROXY: TrustedProxies,
  /** `{"<service>": `{"<service>": "<url>"}`: the address of each service's readiness. */
  HEALTH_URLS: JsonText.pipe(z.record(z.string(), z.url())).default({}),
  /** The budget of each user; what calls cost is in `call-cost.ts`. */
  UNITS_PER_USER_MINUTE: z.coerce.number().int().min(60).default(600),
  STREAMS_PER_USER: z.coerce.number().int().positive().default(10),
  STREAMS_PER_ADDRESS: z.coerce.number().int().positive().default(200),
  PUBLIC_STREAMS: z.coerce.number().int().positive().default(1000),
  PUBLIC_STREAMS_PER_ADDRESS: z.coerce.number().int().positive().default(20),
  PUBLIC_EVENTS_PER_SECOND: z.coerce.number().int().positive().default(5),
  STREAM_KEEP_ALIVE_MS: z.coerce.number().int().positive().default(15_000),
  STREAM_SESSION_CHECK_MS: z.coerce.number().int().positive().default(60_000),
  STREAM_CLIENT_CHECK_MS: z.coerce.number().int().positive().default(60_000),
  STREAM_UNSENT_BYTES: z.coerce
    .number()
    .int()
    .positive()
    .default(1024 * 1024),
})
export type Config = z.infer<typeof Config>
