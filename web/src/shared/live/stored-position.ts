import { LiveEvent } from '@tripline/proto/live-event'
import { z } from 'zod'
import { storageKeys } from '../storage-keys.ts'
import { storeText } from '../store-text.ts'
import type { LivePosition } from './live-stream.ts'

const StoredPosition = z.object({ userId: z.string(), lastEventId: z.string(), events: z.array(LiveEvent) })

/** Keeps the place of a person's page in the live events for the next page of this tab. */
export function storePosition(
  storage: Pick<Storage, 'setItem'>,
  userId: string,
  position: LivePosition,
): void {
  storeText(storage, storageKeys.livePosition, JSON.stringify({ userId, ...position }))
}

/** Returns the place that this person's page before left; undefined where there is none, or it is somebody else's. */
export function storedPosition(storage: Pick<Storage, 'getItem'>, userId: string): LivePosition | undefined {
  const stored = readStored(storage.getItem(storageKeys.livePosition))
  return stored?.userId === userId ? stored : undefined
}

function readStored(text: string | null): z.infer<typeof StoredPosition> | undefined {
  try {
    return StoredPosition.safeParse(JSON.parse(text ?? 'null')).data
  } catch {
    return undefined
  }
}
