import { RefusedError } from '@tripline/kit/refused-error'
import { z } from 'zod'
import type { Api } from './api.ts'

const timeoutMs = 2000

const Mails = z.array(
  z.object({ to: z.string(), subject: z.string(), text: z.string(), html: z.string(), date: z.string() }),
)

/** The mails that the local mail server has kept, newest first; for people and scripts of one machine. */
export function mailboxRoutes(api: Api, mailboxUrl: string): void {
  api.get('/dev/mailbox', { schema: { hide: true, response: { 200: Mails } } }, async () => {
    try {
      const answer = await fetch(mailboxUrl, { signal: AbortSignal.timeout(timeoutMs) })
      return Mails.parse(await answer.json())
    } catch (error) {
      throw new RefusedError('unavailable', 'The mailbox is not available', { cause: error })
    }
  })
}
