import { loadConfig } from '@tripline/kit/config'
import type { Credentials } from '@tripline/proto/user-config'
import { z } from 'zod'
import { UsageError } from './options.ts'
import type { Screen } from './screen.ts'

const Keys = z.object({ VENUE_API_KEY: z.string().optional(), VENUE_API_SECRET: z.string().optional() })

/** Key and secret from the environment, or by asking for them. */
export async function readKeys(
  env: Record<string, string | undefined>,
  { ask }: Screen,
): Promise<Credentials> {
  const { VENUE_API_KEY, VENUE_API_SECRET } = loadConfig(Keys, env)
  const apiKey = VENUE_API_KEY ?? (await ask('API key (not shown): ', true))
  const secret = VENUE_API_SECRET ?? (await ask('API secret (not shown): ', true))
  if (apiKey === '' || secret === '')
    throw new UsageError('Without a key and its secret nothing can be tried.')
  return { apiKey, secret }
}
