import { z } from 'zod'
import { parseJson } from '../../read/parse-json.ts'

// A connection of combined streams has the event beside the name of its stream ("/private/stream", split of 2026-04-23).
const Combined = z.object({ stream: z.string(), data: z.looseObject({}) })
const isCombined = (frame: unknown): boolean =>
  typeof frame === 'object' && frame !== null && 'stream' in frame

/** Returns what a frame of a private stream reports, which may come by itself or as on a connection of combined streams. */
export function eventIn(text: string): unknown {
  const frame = parseJson(text)
  // A schema that fails costs more than all that is read of most events.
  return isCombined(frame) ? (Combined.safeParse(frame).data?.data ?? frame) : frame
}
