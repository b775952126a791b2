import type { LocalKeys } from './local-keys.ts'
import type { DatabaseUrls } from './setup-database.ts'

/** Every process of the product, in the order in which they are stopped: doors first, what they lean on last. */
export const serviceNames = [
  'gateway',
  'intake',
  'executor',
  'auth',
  'keys',
  'history',
  'notifier',
  'paper-exchange',
] as const
export type ServiceName = (typeof serviceNames)[number]

/** The parts that the settings of all services are made from. */
export interface Surroundings {
  ports: Record<ServiceName, number>
  databaseUrls: DatabaseUrls
  natsUrl: string
  redisUrl: string
  redisPrefix: string
  publicUrl: string
  smtpUrl: string
  /** The address of the mails of a local product. */
  mailboxUrl: string
  webDir: string
  /** The ways to reach people on the pages for visitors. */
  site: Readonly<{ CONTACT_EMAIL: string; COMMUNITY_URL: string }>
  paperDataDir: string
  /** The settings of the paper exchange. */
  paper: Readonly<{ PAPER_TICK_MS: string; PAPER_LIMITS: string }>
  /** Budget of each user at the gateway, where that is not the default. */
  budget: Readonly<{ UNITS_PER_USER_MINUTE?: string }>
  /** Where bots of exchanges trade, and whether keys of OKX can be linked. */
  venues: Readonly<{ TRIPLINE_VENUES: string; VENUE_ADDRESSES: string; OKX: string }>
  keys: LocalKeys
}

/** The folder of a service from the root of the repository. */
export function serviceFolder(name: ServiceName): string {
  return name === 'gateway' ? name : `services/${name}`
}

/** The settings of one service; no service gets more than it needs. */
export function serviceSettings(name: ServiceName, around: Surroundings): Record<string, string> {
  return {
    PORT: String(around.ports[name]),
    ...(name === 'paper-exchange' ? {} : onBus(name, around)),
    ...own[name](around),
  }
}

function onBus(
  name: Exclude<ServiceName, 'paper-exchange'>,
  { natsUrl, keys }: Surroundings,
): Record<string, string> {
  return { NATS_URL: natsUrl, NATS_NKEY_SEED_FILE: keys.busSeedFile(name) }
}

function local(port: number): string {
  return `http://127.0.0.1:${port}`
}

const own: Record<ServiceName, (around: Surroundings) => Record<string, string>> = {
  gateway: ({ publicUrl, webDir, site, budget, venues, keys, ports, mailboxUrl }) => ({
    PUBLIC_URL: publicUrl,
    MAILBOX_URL: mailboxUrl,
    WEB_DIR: webDir,
    ...site,
    ...budget,
    TRIPLINE_VENUES: venues.TRIPLINE_VENUES,
    OKX: venues.OKX,
    SEAL_PUBLIC_KEYS: keys.sealPublicKeys,
    NOTIFIER_SEAL_PUBLIC_KEYS: keys.notifierSealPublicKeys,
    INTAKE_URL: local(ports.intake),
    HEALTH_URLS: JSON.stringify(healthUrls(ports)),
  }),
  // The gateway stands in front and names the user whose request it passes on, and which are traced.
  intake: ({ databaseUrls, redisUrl, redisPrefix }) => ({
    DATABASE_URL: databaseUrls.intake,
    REDIS_URL: redisUrl,
    REDIS_PREFIX: redisPrefix,
    TRUST_PROXY: '1',
    TRACE_FROM_PROXY: 'on',
  }),
  executor: ({ databaseUrls, keys, ports, venues: { OKX: _ofGateway, ...venues } }) => ({
    DATABASE_URL: databaseUrls.executor,
    SEAL_PRIVATE_KEYS_FILE: keys.sealPrivateKeysFile,
    PAPER_URL: local(ports['paper-exchange']),
    INTERNAL_TOKEN_FILE: keys.internalTokenFile,
    ...venues,
  }),
  auth: ({ databaseUrls, keys, publicUrl, smtpUrl }) => ({
    DATABASE_URL: databaseUrls.auth,
    KEK_FILE: keys.kekFile,
    PUBLIC_URL: publicUrl,
    SMTP_URL: smtpUrl,
  }),
  keys: ({ databaseUrls, keys }) => ({ DATABASE_URL: databaseUrls.keys, KEK_FILE: keys.kekFile }),
  history: ({ databaseUrls }) => ({ DATABASE_URL: databaseUrls.history }),
  notifier: ({ databaseUrls, keys }) => ({
    DATABASE_URL: databaseUrls.notifier,
    SEAL_PRIVATE_KEYS_FILE: keys.notifierSealPrivateKeysFile,
  }),
  'paper-exchange': ({ keys, paperDataDir, paper }) => ({
    INTERNAL_TOKEN_FILE: keys.internalTokenFile,
    PAPER_DATA_DIR: paperDataDir,
    ...paper,
  }),
}

function healthUrls(ports: Surroundings['ports']): Record<string, string> {
  const asked = serviceNames.filter((name) => name !== 'gateway')
  return Object.fromEntries(asked.map((name) => [name, local(ports[name])]))
}
