import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { rootDir } from '@tripline/testkit/paths'
import type { Product } from '@tripline/testkit/stack/product'
import { z } from 'zod'

/** Runs an executor until it kills itself at this moment; with a place, at that of the order there. */
export async function crash(product: Product, moment: string, place?: string): Promise<void> {
  const child = spawn(process.execPath, [path.join(rootDir, 'e2e/faults/crashing-executor.ts')], {
    env: {
      PATH: process.env['PATH'],
      ...product.settings('executor'),
      CRASH_AT: moment,
      ...(place !== undefined && { CRASH_PLACE: place }),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [, signal] = await once(child, 'exit')
  if (signal !== 'SIGKILL') throw new Error(`it did not come to the moment: ${moment} ${place ?? ''}`)
}

const Journal = z.array(
  z.object({
    op: z.string(),
    apiKey: z.string().nullable(),
    clientOrderId: z.string().nullable(),
    outcome: z.string(),
    side: z.string().nullable(),
  }),
)

/** Every order request that the paper exchange received. */
export async function journal({ urls }: Product): Promise<z.infer<typeof Journal>> {
  const response = await fetch(`${urls.paper}/control/journal`)
  return Journal.parse(await response.json())
}
