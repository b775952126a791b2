import { readFile } from 'node:fs/promises'
import { z } from 'zod'

const Span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().nullable(),
  service: z.string(),
  name: z.string(),
  startedAt: z.number(),
  endedAt: z.number(),
  attributes: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  notes: z.array(z.object({ what: z.string(), at: z.number() })),
})
/** A part of an alert's way, as a process exported it. */
export type Span = z.infer<typeof Span>

/** The spans of a file, in the order in which they were exported; a line that is still being written is left out. */
export async function readSpans(file: string): Promise<Span[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => Span.parse(JSON.parse(line)))
}

/** The spans of the trace of an alert. */
export function traceOf(spans: readonly Span[], alertId: string): Span[] {
  const one = spans.find(({ attributes }) => attributes['tripline.alert_id'] === alertId)
  return spans.filter(({ traceId }) => traceId === one?.traceId)
}
