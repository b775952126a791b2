import {
  type Attributes,
  type Context,
  type HrTime,
  type Span as OtelSpan,
  SpanKind as OtelSpanKind,
  ROOT_CONTEXT,
  type SpanContext,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { parseTraceParent } from '@opentelemetry/core'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  RandomIdGenerator,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { now } from '../time/clock.ts'
import type { Log } from './log.ts'
import type { Span, SpanFacts, SpanKind, TraceSettings, Tracing } from './trace.ts'
import { openExporters } from './trace-export.ts'

// Spans are exported this long after the first of a batch has ended.
const gatherMs = 1000
// The most spans that a process holds while its collector is slow; further ones are dropped.
const mostQueued = 8192
const stopWithinMs = 2000

const kinds: Record<SpanKind, OtelSpanKind> = {
  internal: OtelSpanKind.INTERNAL,
  server: OtelSpanKind.SERVER,
  client: OtelSpanKind.CLIENT,
  producer: OtelSpanKind.PRODUCER,
  consumer: OtelSpanKind.CONSUMER,
}

const attributeNames: Record<keyof SpanFacts, string> = {
  alertId: 'tripline.alert_id',
  executionId: 'tripline.execution_id',
  eventId: 'tripline.event_id',
  partition: 'tripline.partition',
  venue: 'tripline.venue',
  command: 'tripline.command',
  outcome: 'tripline.outcome',
  status: 'http.response.status_code',
  attempts: 'tripline.attempts',
  listeners: 'tripline.listeners',
  isResumed: 'tripline.resumed',
}

const faults = new Set(['failed', 'fault', 'unknown', 'unreachable'])

/**
 * Tracing by the library. Contexts are passed on as arguments: with the library's own way of finding them, every
 * promise of the process would cost something.
 */
export function startTracing(service: string, settings: TraceSettings, log: Log): Tracing {
  const exporters = openExporters(settings, log)
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.namespace': 'tripline' }),
    // Whether an alert is traced is drawn once, before a span is made.
    sampler: new AlwaysOnSampler(),
    spanProcessors: exporters.map(
      (exporter) =>
        new BatchSpanProcessor({ exporter, scheduledDelayMillis: gatherMs, maxQueueSize: mostQueued }),
    ),
  })
  const tracer = provider.getTracer('tripline')
  const ids = new RandomIdGenerator()
  return {
    begin: (name, kind, at) =>
      Math.random() < settings.TRACE_SAMPLE ? open(tracer, ROOT_CONTEXT, name, kind, at) : undefined,
    follow: (traceparent, name, kind, at) => {
      const parent = traceparent === undefined ? null : parseTraceParent(traceparent)
      if (parent === null || (parent.traceFlags & TraceFlags.SAMPLED) === 0) return undefined
      return open(tracer, within({ ...parent, isRemote: true }), name, kind, at)
    },
    undrawn: textOf({
      traceId: ids.generateTraceId(),
      spanId: ids.generateSpanId(),
      traceFlags: TraceFlags.NONE,
    }),
    stop: async () => {
      const overdue = new Promise((resolve) => setTimeout(resolve, stopWithinMs).unref())
      // The exporter itself logs spans that it could not export.
      await Promise.race([provider.shutdown().catch(() => undefined), overdue])
    },
  }
}

function within(parent: SpanContext): Context {
  return trace.setSpanContext(ROOT_CONTEXT, parent)
}

function textOf({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-0${traceFlags}`
}

function open(tracer: Tracer, context: Context, name: string, kind: SpanKind, at: number): Span {
  const span = tracer.startSpan(name, { kind: kinds[kind], startTime: momentOf(at) }, context)
  const own = span.spanContext()
  let hasEnded = false
  return {
    traceparent: textOf(own),
    begin: (childName, childKind, beginsAt) => open(tracer, within(own), childName, childKind, beginsAt),
    note: (name, notedAt) => void span.addEvent(name, momentOf(notedAt)),
    end: (facts, endsAt = now()) => {
      if (hasEnded) return
      hasEnded = true
      end(span, facts, endsAt)
    },
  }
}

function end(span: OtelSpan, facts: SpanFacts, at: number): void {
  span.setAttributes(attributesOf(facts))
  if (faults.has(facts.outcome ?? '')) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end(momentOf(at))
}

function attributesOf(facts: SpanFacts): Attributes {
  const attributes: Attributes = {}
  for (const [fact, name] of Object.entries(attributeNames)) {
    const value = facts[fact as keyof SpanFacts]
    if (value !== undefined) attributes[name] = value
  }
  return attributes
}

/** In the library's own form: of a number it would guess by its size which clock it is by. */
function momentOf(at: number): HrTime {
  const seconds = Math.floor(at / 1000)
  return [seconds, Math.round((at - seconds * 1000) * 1e6)]
}
