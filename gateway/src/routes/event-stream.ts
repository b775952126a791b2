import { addressRange } from '@tripline/proto/address-range'
import { ErrorBody } from '@tripline/proto/http/error'
import { z } from 'zod'
import type { Access } from '../access/access.ts'
import type { EventStreams } from '../stream/event-streams.ts'
import type { PublicStreams } from '../stream/public-streams.ts'
import { positionIn } from '../stream/ring.ts'
import { type Api, bearer, refusals, sessionRefusals } from './api.ts'

const Stream = z
  .string()
  .describe('`id: <place>`, which grows, and one line of `data: <JSON>` an event; `: keep-alive` in between')

const streamAnswer = { description: 'The stream', content: { 'text/event-stream': { schema: Stream } } }

/** The live events of the user, as server-sent events. */
export function eventStreamRoutes(api: Api, { guard, sessionOf }: Access, streams: EventStreams): void {
  api.get(
    '/api/events/stream',
    {
      onRequest: guard,
      // A request for the headers alone would hold a stream that nobody reads.
      exposeHeadRoute: false,
      schema: {
        tags: ['events'],
        operationId: 'streamEvents',
        summary: 'Live events',
        security: bearer,
        headers: z.object({
          'last-event-id': z.string().optional().describe('replays the events missed since'),
        }),
        response: { ...sessionRefusals, 200: streamAnswer },
      },
    },
    async (request, reply) => {
      const lastSeen = positionIn(request.headers['last-event-id'] ?? '')
      const { begin } = await streams.admit(sessionOf(request), addressRange(request.ip), lastSeen)
      reply.hijack()
      begin(reply.raw)
    },
  )
}

/** The route of the public activity, without a session. */
export function publicStreamRoutes(api: Api, streams: PublicStreams): void {
  const schema = {
    tags: ['events'],
    operationId: 'streamPublicEvents',
    summary: 'Live events of all users, without anything that identifies them',
    response: { ...refusals, 200: streamAnswer, 429: ErrorBody },
  }
  api.get('/api/events/public-stream', { exposeHeadRoute: false, schema }, async (request, reply) => {
    const begin = streams.admit(addressRange(request.ip))
    reply.hijack()
    begin(reply.raw)
  })
}
