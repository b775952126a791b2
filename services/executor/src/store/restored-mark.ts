import { openBucket } from '@tripline/kit/bus/bucket'
import type { Bus } from '@tripline/kit/bus/bus'
import { z } from 'zod'

const key = 'restored'
/** Form of the mark in the bucket; versions before wrote no id. */
export const Mark = z.object({ sequence: z.int().nonnegative(), id: z.string().optional() })
/** Up to where the alerts of the stream came back with a back-up, and the name of that restore. */
export type Mark = z.infer<typeof Mark>

/** Up to where the alerts of the stream came back with a back-up; 0 where none ever did. */
export async function readRestoredMark(bus: Bus): Promise<Mark> {
  const entry = await (await openBucket(bus, 'progress')).get(key)
  return entry === undefined ? { sequence: 0 } : Mark.parse(JSON.parse(entry.text))
}

/** Notes that the alerts up to this sequence came back with a back-up. */
export async function writeRestoredMark(bus: Bus, mark: Required<Mark>): Promise<void> {
  await (await openBucket(bus, 'progress')).put(key, JSON.stringify(mark))
}
