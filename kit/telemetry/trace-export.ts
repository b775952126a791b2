import { appendFile } from 'node:fs/promises'
import { type HrTime, SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { ExportResultCode } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import type { Log } from './log.ts'
import type { TraceSettings } from './trace.ts'

/** Opens the exporters that the settings name; throws if they name none. */
export function openExporters(settings: TraceSettings, log: Log): SpanExporter[] {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, TRACE_FILE: file } = settings
  if (endpoint === undefined && file === undefined)
    throw new Error('TRACE_SAMPLE is above 0, and neither OTEL_EXPORTER_OTLP_ENDPOINT nor TRACE_FILE is set')
  return [
    ...(endpoint === undefined ? [] : [new OTLPTraceExporter({ url: `${endpoint}/v1/traces` })]),
    ...(file === undefined ? [] : [fileExporter(file)]),
  ].map((exporter) => loggingLosses(exporter, log))
}

/** Says when spans begin to be lost, and when they are not any more. */
function loggingLosses(exporter: SpanExporter, log: Log): SpanExporter {
  let isFailing = false
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const failed = result.code !== ExportResultCode.SUCCESS
        if (failed && !isFailing) log.warn({ err: result.error }, 'spans not exported')
        if (!failed && isFailing) log.info('spans are exported again')
        isFailing = failed
        done(result)
      }),
    shutdown: async () => await exporter.shutdown(),
  }
}

/** Adds spans to a file; several processes may share it. */
function fileExporter(file: string): SpanExporter {
  let writing: Promise<void> = Promise.resolve()
  return {
    export: (spans, done) => {
      const lines = spans.map((span) => `${JSON.stringify(lineOf(span))}\n`).join('')
      writing = writing
        .then(async () => await appendFile(file, lines))
        .then(
          () => done({ code: ExportResultCode.SUCCESS }),
          (error: Error) => done({ code: ExportResultCode.FAILED, error }),
        )
    },
    shutdown: async () => await writing,
  }
}

function lineOf(span: ReadableSpan): object {
  const { traceId, spanId } = span.spanContext()
  return {
    traceId,
    spanId,
    parentSpanId: span.parentSpanContext?.spanId ?? null,
    service: span.resource.attributes['service.name'],
    name: span.name,
    kind: SpanKind[span.kind].toLowerCase(),
    startedAt: millisecondsOf(span.startTime),
    endedAt: millisecondsOf(span.endTime),
    isFault: span.status.code === SpanStatusCode.ERROR,
    attributes: span.attributes,
    notes: span.events.map(({ name, time }) => ({ what: name, at: millisecondsOf(time) })),
  }
}

function millisecondsOf([seconds, nanoseconds]: HrTime): number {
  return seconds * 1000 + nanoseconds / 1e6
}
