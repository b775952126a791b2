import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { z } from 'zod'
import { createLog } from './log.ts'
import { openTracing } from './open-tracing.ts'
import type { Tracing } from './trace.ts'

const log = createLog('test', 'fatal')
const Line = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().nullable(),
  service: z.string(),
  name: z.string(),
  kind: z.string(),
  startedAt: z.number(),
  endedAt: z.number(),
  isFault: z.boolean(),
  attributes: z.record(z.string(), z.unknown()),
  notes: z.array(z.object({ what: z.string(), at: z.number() })),
})

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'trace-'))
})
afterAll(async () => await rm(folder, { recursive: true }))

async function open(
  service: string,
  sample = 1,
): Promise<{ tracing: Tracing; lines: () => Promise<Line[]> }> {
  const TRACE_FILE = path.join(folder, `${service}.jsonl`)
  const settings = { TRACE_SAMPLE: sample, TRACE_FILE, OTEL_EXPORTER_OTLP_ENDPOINT: undefined }
  const tracing = await openTracing(service, settings, log)
  if (tracing === undefined) throw new Error('there is no tracing')
  const lines = async (): Promise<Line[]> => {
    await tracing.stop()
    const text = await readFile(TRACE_FILE, 'utf8').catch(() => '')
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => Line.parse(JSON.parse(line)))
  }
  return { tracing, lines }
}
type Line = z.infer<typeof Line>

test('a sample of 0 is no tracing at all', async () => {
  const settings = { TRACE_SAMPLE: 0, TRACE_FILE: undefined, OTEL_EXPORTER_OTLP_ENDPOINT: undefined }
  expect(await openTracing('off', settings, log)).toBeUndefined()
})

test('a sample without a place for spans is refused', async () => {
  const settings = { TRACE_SAMPLE: 0.1, TRACE_FILE: undefined, OTEL_EXPORTER_OTLP_ENDPOINT: undefined }
  await expect(openTracing('nowhere', settings, log)).rejects.toThrow('TRACE_FILE')
})

test('spans of two processes are one trace, each under the one that it goes on from', async () => {
  const first = await open('first')
  const second = await open('second')
  const root = first.tracing.begin('alert.receive', 'server', 1000)
  const child = root?.begin('alert.store', 'producer', 1000.5)
  const far = second.tracing.follow(child?.traceparent, 'alert.run', 'consumer', 1002)
  far?.note('sent', 1002.25)
  far?.end({ venue: 'paper', outcome: 'failed' }, 1003)
  far?.end({ outcome: 'done' }, 1004)
  child?.end({ partition: 7 }, 1001)
  root?.end({ alertId: 'a' }, 1010)
  const [stored, received] = await first.lines()
  const [run] = await second.lines()
  expect(received).toMatchObject({ parentSpanId: null, kind: 'server', startedAt: 1000, endedAt: 1010 })
  expect(stored).toMatchObject({ parentSpanId: received?.spanId, attributes: { 'tripline.partition': 7 } })
  expect(run).toMatchObject({
    traceId: received?.traceId,
    parentSpanId: stored?.spanId,
    service: 'second',
    isFault: true,
    notes: [{ what: 'sent', at: 1002.25 }],
    attributes: { 'tripline.venue': 'paper', 'tripline.outcome': 'failed' },
  })
})

test('a trace that was not drawn is followed by nobody', async () => {
  const { tracing, lines } = await open('undrawn', Number.MIN_VALUE)
  expect(tracing.begin('alert.receive', 'server', 0)).toBeUndefined()
  const strange = ['', 'nonsense', '00-0-0-01', undefined, tracing.undrawn]
  for (const traceparent of strange)
    expect(tracing.follow(traceparent, 'alert.run', 'consumer', 0)).toBeUndefined()
  expect(await lines()).toEqual([])
})
