import { z } from 'zod'

/** The answer of every refused or failed call; `detail` is a list only for 422 of a malformed request. */
export const ErrorBody = z.object({
  detail: z.union([z.string(), z.array(z.object({ field: z.string(), message: z.string() }))]),
  code: z.string(),
  request_id: z.string(),
})
export type ErrorBody = z.infer<typeof ErrorBody>
