import { busSettings, commonSettings } from '@tripline/kit/config'
import { traceSettings } from '@tripline/kit/telemetry/trace'
import { z } from 'zod'

export const Config = z.object({
  ...commonSettings,
  ...busSettings,
  ...traceSettings,
  DATABASE_URL: z.string().min(1),
  /** The time for which executions are stored; 0 stores them without end. */
  RETENTION_DAYS: z.coerce.number().int().min(0).max(36_500).default(365),
})
export type Config = z.infer<typeof Config>
