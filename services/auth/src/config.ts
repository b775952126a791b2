import { busSettings, commonSettings } from '@tripline/kit/config'
import { z } from 'zod'
import type { ThrottleLimits } from './domain/throttle.ts'

/** Attempts an hour; 0 is no limit. */
const PerHour = z.coerce.number().int().min(0).max(1_000_000).optional()

/** The settings of auth. */
export const Config = z.object({
  ...commonSettings,
  ...busSettings,
  DATABASE_URL: z.string().min(1),
  /** Key-encryption keys, `<id>:<32 bytes in base64url>`, the one to encrypt with first. */
  KEK: z.string().min(1),
  /** The address at which people reach us; the links of mails begin with it. */
  PUBLIC_URL: z.url().transform((url) => url.replace(/\/+$/, '')),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }),
  /** The sender of mails; `no-reply` at the host of PUBLIC_URL unless given. */
  MAIL_FROM: z.string().min(3).optional(),
  CONTACT_EMAIL: z.email().optional(),
  ACCESS_TOKEN_MINUTES: z.coerce.number().int().min(1).max(60).default(10),
  /** The time for which one key signs access tokens. */
  SIGNING_KEY_DAYS: z.coerce.number().int().min(1).max(365).default(30),
  /** A session ends when it was not refreshed for so long. */
  SESSION_IDLE_DAYS: z.coerce.number().int().min(1).default(7),
  /** A session ends so long after its login, however much it is used. */
  SESSION_LONGEST_DAYS: z.coerce.number().int().min(1).default(30),
  LOGIN_FAILURES_PER_ACCOUNT: PerHour,
  LOGIN_FAILURES_PER_ACCOUNT_AND_ADDRESS: PerHour,
  LOGIN_FAILURES_PER_ADDRESS: PerHour,
  MAILS_PER_RECIPIENT: PerHour,
  MAILS_PER_ADDRESS: PerHour,
})

export type Config = z.infer<typeof Config>

// In local mode one machine plays everybody.
const usual = { account: 20, accountAndAddress: 10, address: 100, mailsTo: 3, mailsFrom: 10 }
const generous = {
  account: 10_000,
  accountAndAddress: 10_000,
  address: 100_000,
  mailsTo: 10_000,
  mailsFrom: 100_000,
}

/** The attempts that are allowed an hour. */
export function throttleLimits(config: Config): ThrottleLimits {
  const given = config.TRIPLINE_MODE === 'local' ? generous : usual
  return {
    loginsPerAccount: config.LOGIN_FAILURES_PER_ACCOUNT ?? given.account,
    loginsPerAccountAndAddress: config.LOGIN_FAILURES_PER_ACCOUNT_AND_ADDRESS ?? given.accountAndAddress,
    loginsPerAddress: config.LOGIN_FAILURES_PER_ADDRESS ?? given.address,
    mailsPerRecipient: config.MAILS_PER_RECIPIENT ?? given.mailsTo,
    mailsPerAddress: config.MAILS_PER_ADDRESS ?? given.mailsFrom,
  }
}

/** Returns the sender of mails. */
export function mailFrom({ MAIL_FROM, PUBLIC_URL }: Config): string {
  return MAIL_FROM ?? `Tripline <no-reply@${new URL(PUBLIC_URL).hostname}>`
}
