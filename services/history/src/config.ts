import { busSettings, commonSettings } from '@tripline/kit/config'
import { z } from 'zod'

export const Config = z.object({ ...commonSettings, ...busSettings, DATABASE_URL: z.string().min(1) })
export type Config = z.infer<typeof Config>
