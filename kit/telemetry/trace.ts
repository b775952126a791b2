import { z } from 'zod'

/** Settings of every service on the way of an alert. */
export const traceSettings = {
  /** The share of alerts that are traced, 0 to 1; at 0 nothing of it is loaded. */
  TRACE_SAMPLE: z.coerce.number().min(0).max(1).default(0),
  /** The address for spans by OTLP over HTTP: what stands before `/v1/traces`. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  /** The file to which spans are added, as JSON, one a line. */
  TRACE_FILE: z.string().optional(),
}
const TraceSettings = z.object(traceSettings)
export type TraceSettings = z.infer<typeof TraceSettings>

/** All that a span may say of itself: what it was about, and how it ended. Nothing of a person, and no secret. */
export interface SpanFacts {
  alertId?: string | undefined
  executionId?: string
  eventId?: string
  partition?: number
  venue?: string
  command?: string
  /** The outcome, in one word of ours. */
  outcome?: string
  /** Of an HTTP answer. */
  status?: number
  /** The number of attempts. */
  attempts?: number
  /** The number of its listeners. */
  listeners?: number
  /** An earlier attempt may have done part of it. */
  isResumed?: boolean
}

export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'

/** One part of an alert's way; it is exported once it has ended. */
export interface Span {
  /** By what another process goes on from here: a `traceparent` as W3C has it. */
  traceparent: string
  /** A part of this part. */
  begin: (name: string, kind: SpanKind, at: number) => Span
  /** Notes what happened at a moment within. */
  note: (name: string, at: number) => void
  /** Ends it, now by default; a second end changes nothing. */
  end: (facts: SpanFacts, at?: number) => void
}

/** The tracing of a process. Without it, which is usual, there is none of this. */
export interface Tracing {
  /** The first span of a trace; undefined where this one is not drawn. */
  begin: (name: string, kind: SpanKind, at: number) => Span | undefined
  /** A span that goes on from another process; undefined where that one is not traced. */
  follow: (traceparent: string | undefined, name: string, kind: SpanKind, at: number) => Span | undefined
  /** By what another process knows that a trace was not drawn. */
  undrawn: string
  /** Exports what has ended, within bounds. */
  stop: () => Promise<void>
}

/** The name of the header, on the bus and in HTTP. */
export const traceHeader = 'traceparent'
