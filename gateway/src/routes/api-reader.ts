import { randomBytes } from 'node:crypto'
import type { Http } from '@tripline/kit/http/http'
import { type ApiDocument, apiPage } from '../domain/api-page.ts'
import { pagePolicy } from '../domain/security-headers.ts'

/** A page for people about every call, at `/api/docs`: made here, without scripts or anything from elsewhere. */
export function apiReaderRoutes(http: Http): void {
  let page: { before: string; after: string } | undefined
  http.get('/api/docs', { schema: { hide: true } }, async (_request, reply) => {
    // The document is the same for the life of the process, only the nonce is not.
    page ??= apiPage(http.swagger() as unknown as ApiDocument)
    const nonce = randomBytes(16).toString('base64')
    return reply
      .header('content-security-policy', pagePolicy(nonce))
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(`${page.before}<style nonce="${nonce}">${page.after}`)
  })
}
