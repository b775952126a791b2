import { createTransport } from 'nodemailer'
import type { MailContent } from '../domain/mail-content.ts'

/** The outcome of a mail: the server has it, does not want it now, or never will. */
export type SmtpOutcome =
  | { outcome: 'sent' }
  | { outcome: 'unsent'; cause: string }
  | { outcome: 'refused'; cause: string }

/** Hands a mail to the mail server. */
export type SendMail = (mail: { id: string; to: string; content: MailContent }) => Promise<SmtpOutcome>

// A mail is six exchanges at most, so the whole ends before somebody else may take the mail.
const timeouts = { connectionTimeout: 5000, greetingTimeout: 5000, socketTimeout: 15_000, dnsTimeout: 5000 }
/** The longest that handing over a mail may take. */
export const longestSendMs = 120_000

/** Sends through the server of the URL, on a connection for each mail. */
export function smtpSender(url: string, from: string): SendMail {
  const transport = createTransport({ url, ...timeouts, disableFileAccess: true, disableUrlAccess: true })
  const domain = /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost'
  return async ({ id, to, content }) => {
    try {
      await transport.sendMail({
        from,
        // As an object, so that no spelling of an address is read as several.
        to: { name: '', address: to },
        // The same in each attempt: a server that has the mail already can see so.
        messageId: `<${id}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
        ...content,
      })
      return { outcome: 'sent' }
    } catch (error) {
      return failureOf(error)
    }
  }
}

/** The words of a mail server name the address, so only its codes are stored. */
function failureOf(error: unknown): SmtpOutcome {
  const { code, responseCode } = error as { code?: string; responseCode?: number }
  const cause = [code, responseCode].filter((part) => part !== undefined).join(' ') || 'unknown'
  const isFinal = responseCode !== undefined && responseCode >= 500 && code !== 'EAUTH'
  return { outcome: isFinal ? 'refused' : 'unsent', cause }
}
