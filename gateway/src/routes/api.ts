import type { Http } from '@tripline/kit/http/http'
import { ErrorBody } from '@tripline/proto/http/error'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'

/** A server whose routes are typed by their zod schemas. */
export type Api = ReturnType<typeof typedByZod>

/** The server, with routes typed by their zod schemas. */
export function typedByZod(http: Http) {
  return http.withTypeProvider<ZodTypeProvider>()
}

/** The refusals of every call. */
export const refusals = { 400: ErrorBody, 422: ErrorBody, 500: ErrorBody, 503: ErrorBody }

/** The refusals of every call that needs a session; 429 when the user's budget is spent. */
export const sessionRefusals = { ...refusals, 401: ErrorBody, 429: ErrorBody }

/** OpenAPI's mark of a call that needs a session. */
export const bearer = [{ bearer: [] }]
