import { randomBytes } from 'node:crypto'
import { RefusedError } from '@tripline/kit/refused-error'
import { z } from 'zod'
import { mailboxPage } from '../domain/mailbox-page.ts'
import { pagePolicy } from '../domain/security-headers.ts'
import type { Api } from './api.ts'

const timeoutMs = 2000

const Mails = z.array(
  z.object({ to: z.string(), subject: z.string(), text: z.string(), html: z.string(), date: z.string() }),
)

/** The mails that the local mail server has stored, newest first: a page for a browser, JSON for any other caller. */
export function mailboxRoutes(api: Api, mailboxUrl: string): void {
  const schema = { hide: true, response: { 200: z.union([Mails, z.string()]) } }
  api.get('/dev/mailbox', { schema }, async (request, reply) => {
    const mails = await mailsAt(mailboxUrl)
    if (request.headers.accept?.includes('text/html') !== true) return mails
    const nonce = randomBytes(16).toString('base64')
    return reply
      .header('content-security-policy', pagePolicy(nonce))
      .type('text/html; charset=utf-8')
      .send(mailboxPage(mails, nonce))
  })
}

async function mailsAt(mailboxUrl: string): Promise<z.infer<typeof Mails>> {
  try {
    const answer = await fetch(mailboxUrl, { signal: AbortSignal.timeout(timeoutMs) })
    return Mails.parse(await answer.json())
  } catch (error) {
    throw new RefusedError('unavailable', 'The mailbox is not available', { cause: error })
  }
}
