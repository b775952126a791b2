import { ErrorBody } from '@tripline/proto/http/error'
import { z } from 'zod'
import type { Access } from '../access/access.ts'
import type { EventStreams } from '../stream/event-streams.ts'
import { type Api, bearer, sessionRefusals } from './api.ts'

const Stream = z
  .string()
  .describe('`id: <seq>` and one line of `data: <JSON>` an event; `: keep-alive` in between')

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
        summary: 'Live events',
        security: bearer,
        headers: z.object({
          'last-event-id': z.string().optional().describe('replays what was missed since'),
        }),
        response: {
          ...sessionRefusals,
          200: { description: 'The stream', content: { 'text/event-stream': { schema: Stream } } },
          429: ErrorBody,
        },
      },
    },
    async (request, reply) => {
      const { begin } = await streams.admit(sessionOf(request), sequenceOf(request.headers['last-event-id']))
      reply.hijack()
      await begin(reply.raw)
    },
  )
}

/** An id that we never gave means nothing. */
function sequenceOf(lastEventId: string | undefined): number | undefined {
  return lastEventId !== undefined && /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : undefined
}
