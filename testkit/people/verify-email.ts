import { calls } from '@tripline/proto/http/calls'
import { z } from 'zod'
import { waitUntil } from '../wait-until.ts'
import { callApi } from './call-api.ts'

const Mails = z.array(z.object({ to: z.string(), subject: z.string(), text: z.string() }))
// A mail that could not be handed over at once is tried again some seconds later.
const mailDeadlineMs = 40_000

type Mail = z.infer<typeof Mails>[number]

/** The newest mail to an address in the mailbox of a product that runs here, or of this address, waited for. */
export async function mailTo(webUrl: string, address: string, mailsUrl?: string): Promise<Mail> {
  const find = async (): Promise<Mail | undefined> => (await mailsTo(webUrl, address, mailsUrl))[0]
  return waitUntil(find, { awaited: `a mail to ${address}`, deadlineMs: mailDeadlineMs })
}

/** The token of the newest mail to an address that leads to this screen, waited for; other mails may be newer. */
export async function mailedToken(
  webUrl: string,
  address: string,
  screen: 'verify-email' | 'reset-password',
  mailsUrl?: string,
): Promise<string> {
  const link = new RegExp(`/${screen}#token=([\\w-]+)`)
  const find = async (): Promise<string | undefined> =>
    (await mailsTo(webUrl, address, mailsUrl)).flatMap(({ text }) => link.exec(text)?.[1] ?? [])[0]
  const awaited = `a mail to ${address} that leads to /${screen}`
  return waitUntil(find, { awaited, deadlineMs: mailDeadlineMs })
}

/** All mails to an address, newest first. */
async function mailsTo(
  webUrl: string,
  address: string,
  mailsUrl = new URL('/dev/mailbox', webUrl).href,
): Promise<Mail[]> {
  const answer = await fetch(mailsUrl)
  return Mails.parse(await answer.json()).filter(({ to }) => to === address)
}

/** Follows the verification link that was mailed to somebody who has registered with this password. */
export async function verifyEmail(
  webUrl: string,
  { email, password }: { email: string; password: string },
  mailsUrl?: string,
): Promise<void> {
  const token = await mailedToken(webUrl, email, 'verify-email', mailsUrl)
  await callApi(webUrl, calls.verifyEmail({ token, password }))
}
