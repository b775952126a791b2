import { z } from 'zod'

/** `GET /api/health`: `ok` or `degraded` (200) once an alert can be executed, `down` (503) before. */
export const Health = z.object({
  status: z.enum(['ok', 'degraded', 'down']),
  services: z.record(z.string(), z.enum(['ok', 'degraded', 'down'])),
  /** Streams and buckets of the bus that take no writes, where there are such: its disk is full, or it has no leader. */
  refusing: z.array(z.string()).optional(),
})
export type Health = z.infer<typeof Health>
