import type { Http } from '@tripline/kit/http'
import type { Forwarder } from '../webhook/forwarder.ts'

/** The webhook, passed to intake unread: the body is a stream, and the address is never logged. */
export function webhookRoutes(http: Http, forwarder: Forwarder): void {
  http.register((unread, _options, done) => {
    unread.removeAllContentTypeParsers()
    unread.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null))
    unread.post('/webhook/*', { schema: { hide: true } }, (request, reply) => {
      reply.hijack()
      forwarder.forward(request.raw, reply.raw, request.ip)
    })
    done()
  })
}
