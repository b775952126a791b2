import { z } from 'zod'

/** `GET /api/health`: `ok` or `degraded` (200) once an alert can be executed, `down` (503) before. */
export const Health = z.object({
  status: z.enum(['ok', 'degraded', 'down']),
  services: z.record(z.string(), z.enum(['ok', 'degraded', 'down'])),
})
export type Health = z.infer<typeof Health>
