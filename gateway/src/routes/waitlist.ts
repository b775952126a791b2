import { joinWaitlist } from '@tripline/proto/auth-request'
import { EmailBody, Message } from '@tripline/proto/http/auth'
import { ErrorBody } from '@tripline/proto/http/error'
import type { Ask } from '../ask.ts'
import { type Api, refusals } from './api.ts'

/** The waitlist: 201 for a new email, 200 for one that is there already. */
export function waitlistRoutes(api: Api, ask: Ask): void {
  const response = { ...refusals, 200: Message, 201: Message, 429: ErrorBody }
  api.post(
    '/api/waitlist',
    {
      schema: {
        tags: ['waitlist'],
        operationId: 'joinWaitlist',
        summary: 'Join the waitlist',
        body: EmailBody,
        response,
      },
    },
    async ({ body, ip }, reply) => {
      const { isNew } = await ask(joinWaitlist, { email: body.email, address: ip })
      if (isNew) return reply.code(201).send({ message: "You've been added to the waitlist!" })
      return reply.code(200).send({ message: "You're already on the waitlist" })
    },
  )
}
