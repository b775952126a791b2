import { buffer } from 'node:stream/consumers'
import { createTransport } from 'nodemailer'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'

/** A mail as somebody reads it. */
export interface CaughtMail {
  to: string
  subject: string
  text: string
  html: string
  date: string
}

/** The fate of the next mail: it is stored, or refused with this status of SMTP. */
export type Verdict = 'keep' | { refuse: number }

export interface MailCatcherOptions {
  host: string
  port: number
  /** A server that gets every mail too; one that it does not take is not stored. */
  relayUrl?: string
  /** Asked for each mail; all are stored without it. */
  judge?: () => Verdict
}

/** An SMTP server that keeps what it is sent. */
export interface MailCatcher {
  readonly port: number
  /** Newest first. */
  readonly mails: readonly CaughtMail[]
  stop(): Promise<void>
}

const mostMails = 500

/** Starts an SMTP server without secrets: any sender is taken, unencrypted. */
export async function startMailCatcher(options: MailCatcherOptions): Promise<MailCatcher> {
  const mails: CaughtMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 200,
    onData: (stream, session, done) => {
      receive(stream, session, options).then(
        (mail) => {
          mails.unshift(mail)
          mails.splice(mostMails)
          done()
        },
        (error: Error) => done(error),
      )
    },
  })
  // A caller that hangs up in the middle is no news.
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(options.port, options.host, resolve))
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('the mail catcher has no port')
  return { port: address.port, mails, stop: () => new Promise((resolve) => server.close(() => resolve())) }
}

async function receive(
  stream: SMTPServerDataStream,
  { envelope }: SMTPServerSession,
  { relayUrl, judge }: MailCatcherOptions,
): Promise<CaughtMail> {
  const raw = await buffer(stream)
  const verdict = judge?.() ?? 'keep'
  if (verdict !== 'keep') throw Object.assign(new Error('Not now'), { responseCode: verdict.refuse })
  const to = envelope.rcptTo.map(({ address }) => address)
  if (relayUrl !== undefined) await relay(relayUrl, envelope.mailFrom, to, raw)
  const { subject = '', text = '', html = '', date } = await PostalMime.parse(raw)
  return { to: to.join(', '), subject, text, html, date: date ?? new Date().toISOString() }
}

async function relay(
  url: string,
  from: SMTPServerSession['envelope']['mailFrom'],
  to: string[],
  raw: Buffer,
): Promise<void> {
  await createTransport(url).sendMail({ envelope: { from: from === false ? '' : from.address, to }, raw })
}
