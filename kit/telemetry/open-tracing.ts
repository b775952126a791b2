import type { Log } from './log.ts'
import type { TraceSettings, Tracing } from './trace.ts'

/** Starts the tracing of a service; undefined, and nothing is loaded, where its sample is 0. */
export async function openTracing(
  service: string,
  settings: TraceSettings,
  log: Log,
): Promise<Tracing | undefined> {
  if (settings.TRACE_SAMPLE === 0) return undefined
  const { startTracing } = await import('./trace-spans.ts')
  return startTracing(service, settings, log)
}
