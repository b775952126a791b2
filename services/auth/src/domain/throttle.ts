import { addressRange } from '@tripline/proto/address-range'

/** Attempts an hour; 0 is no limit. */
export type PerHour = number

/** One budget that an attempt takes from: what is counted, and how much of it there is. */
export interface Budget {
  key: string
  perHour: PerHour
}

/** The limits of an installation. */
export interface ThrottleLimits {
  loginsPerAccount: PerHour
  loginsPerAccountAndAddress: PerHour
  loginsPerAddress: PerHour
  mailsPerRecipient: PerHour
  mailsPerAddress: PerHour
}

/** Returns the budgets of a login, with the account named by a digest of its email. */
export function loginBudgets(limits: ThrottleLimits, account: string, address: string): Budget[] {
  const range = addressRange(address)
  return [
    { key: `login|${account}|${range}`, perHour: limits.loginsPerAccountAndAddress },
    { key: `login|${account}`, perHour: limits.loginsPerAccount },
    { key: `login|${range}`, perHour: limits.loginsPerAddress },
  ]
}

/** Budgets of a password that is tried with the link of a registration. */
export function verificationBudgets(limits: ThrottleLimits, registrationId: string): Budget[] {
  return [{ key: `verify|${registrationId}`, perHour: limits.loginsPerAccountAndAddress }]
}

/** Budgets of a login from a browser which has logged in to the account before. */
export function knownBrowserBudgets(limits: ThrottleLimits, account: string, browser: string): Budget[] {
  return [{ key: `login|${account}|browser|${browser}`, perHour: limits.loginsPerAccountAndAddress }]
}

/** Returns the budgets of a request that sends a mail to somebody who may not have asked for it. */
export function mailBudgets(limits: ThrottleLimits, recipient: string, address: string): Budget[] {
  return [
    { key: `mail|${recipient}`, perHour: limits.mailsPerRecipient },
    { key: `mail|${addressRange(address)}`, perHour: limits.mailsPerAddress },
  ]
}

/** Returns the budgets of joining the waitlist; it mails nobody, but discloses who is on it. */
export function waitlistBudgets(limits: ThrottleLimits, address: string): Budget[] {
  return [{ key: `waitlist|${addressRange(address)}`, perHour: limits.mailsPerAddress }]
}

/** Returns the beginning of the keys of all budgets for an account's logins. */
export function accountBudgets(account: string): string {
  return `login|${account}`
}
