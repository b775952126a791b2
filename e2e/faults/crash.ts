import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { type JournalEntry, paperControl } from '@tripline/testkit/paper-control'
import { rootDir } from '@tripline/testkit/paths'
import type { Product } from '@tripline/testkit/stack/product'

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

/** Every order request that the paper exchange received. */
export async function journal({ urls }: Product): Promise<JournalEntry[]> {
  return await paperControl(urls.paper).journal()
}

/** Has orders meet a fault, one unless it says how many. */
export async function addFault({ urls }: Product, fault: object): Promise<void> {
  const match = { method: 'POST', path: '/fapi/v1/order' }
  await paperControl(urls.paper).addFault({ match, count: 1, ...fault })
}
