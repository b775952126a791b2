import path from 'node:path'
import { startChildServer, waitUntilReady } from './child-server.ts'
import { freePort } from './free-port.ts'
import { type OnServerChange, ownServer, type Server } from './server.ts'

/** The mail server of a local product, which keeps mails to be read at `mailsUrl`. */
export interface Mailbox extends Server {
  /** The address of the sent mails as JSON, newest first. */
  readonly mailsUrl: string
}

interface MailboxOptions {
  dataDir: string
  onChange?: OnServerChange | undefined
}

/** A mail server of our own on free ports of this machine; it passes mails on where SMTP_URL names a server. */
export async function startMailbox({ dataDir, onChange }: MailboxOptions): Promise<Mailbox> {
  const smtpPort = await freePort()
  const httpPort = await freePort()
  const mailsUrl = `http://127.0.0.1:${httpPort}/`
  const main = path.join(import.meta.dirname, 'mailbox-server.ts')
  const args = ['--disable-warning=ExperimentalWarning', main, String(smtpPort), String(httpPort)]
  const launch = async () => {
    const server = await startChildServer({ name: 'mailbox', dataDir, command: process.execPath, args })
    await waitUntilReady(server, async () => (await fetch(mailsUrl)).ok)
    return server
  }
  const how = process.env['SMTP_URL'] ? 'mailbox, passes on to SMTP_URL' : 'mailbox'
  const url = `smtp://127.0.0.1:${smtpPort}`
  return { ...(await ownServer({ url, how, dataDir, launch, onChange })), mailsUrl }
}
