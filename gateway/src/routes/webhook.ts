import type { Http } from '@tripline/kit/http/http'
import type { Forwarder } from '../webhook/forwarder.ts'

/** The address at which alerts arrive, whatever stands for the token. */
export const webhookPath = '/webhook/*'

/** The webhook, passed to intake unread: whatever type the body claims, and the address is never logged. */
export function webhookRoutes(http: Http, forwarder: Forwarder): void {
  http.post(webhookPath, {
    schema: { hide: true },
    // Before the body is looked at: our own parsers refuse types that intake takes.
    onRequest: (request, reply) => {
      reply.hijack()
      forwarder.forward(request.raw, reply.raw, { address: request.ip, requestId: request.id })
    },
    handler: () => undefined,
  })
}
