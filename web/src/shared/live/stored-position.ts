import { LiveEvent } from '@tripline/proto/live-event'
import { z } from 'zod'
import { storageKeys } from '../storage-keys.ts'
import { storeText } from '../store-text.ts'
import type { LivePlace } from './live-stream.ts'

const Kept = z.object({ userId: z.string(), lastEventId: z.string(), events: z.array(LiveEvent) })

/** Keeps the place of a person's page in the live events for the next page of this tab. */
export function keepPlace(storage: Pick<Storage, 'setItem'>, userId: string, place: LivePlace): void {
  storeText(storage, storageKeys.livePlace, JSON.stringify({ userId, ...place }))
}

/** Returns the place that this person's page before left; undefined where there is none, or it is somebody else's. */
export function keptPlace(storage: Pick<Storage, 'getItem'>, userId: string): LivePlace | undefined {
  const kept = readKept(storage.getItem(storageKeys.livePlace))
  return kept?.userId === userId ? kept : undefined
}

function readKept(text: string | null): z.infer<typeof Kept> | undefined {
  try {
    return Kept.safeParse(JSON.parse(text ?? 'null')).data
  } catch {
    return undefined
  }
}
