import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { waitFor } from '@tripline/testkit/wait-for'
import { type Surroundings, surroundings } from './surroundings.ts'

const strangers = '0af7651916cd43dd8448eb211c80319c'
// So small a share is never drawn: every trace comes from the caller.
const hardlyAny = '1e-300'

let around: Surroundings
let folder: string
let settings: Record<string, string>
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tracing-'))
  settings = { TRACE_SAMPLE: hardlyAny, TRACE_FILE: path.join(folder, 'spans.jsonl') }
  around = await surroundings(settings)
})
afterAll(async () => {
  await around.stop()
  await rm(folder, { recursive: true })
})

test.each([
  ['no proxy is configured in front', 'off', 'a stranger', '01', undefined],
  ['the gateway is in front', 'on', 'it', '01', strangers],
  ['the gateway is in front', 'on', 'it, which did not draw it,', '00', undefined],
])('where %s (%s), a trace of %s is gone on with only then', async (_where, from, _who, flags, expected) => {
  const { port } = await around.startReplica({ ...settings, TRACE_FROM_PROXY: from })
  const user = await around.addUser()
  const traced = await headersOfAlerts()
  await fetch(`http://127.0.0.1:${port}/webhook/${user.token}?wait=1`, {
    method: 'POST',
    headers: { traceparent: `00-${strangers}-b7ad6b7169203331-${flags}` },
    body: 'MyBot(BTCUSDT) { market(buy, 0.01) }',
  })
  const [traceparent] = await waitFor(() => traced.length > 0 && traced)
  expect(traceparent?.split('-')[1]).toBe(expected)
})

/** Returns the trace header of each alert that is stored from now on; an empty text without one. */
async function headersOfAlerts(): Promise<string[]> {
  const ops = await around.nats.connect('ops')
  const traced: string[] = []
  ops.connection.subscribe('alert.>', {
    callback: (_error, { headers }) => traced.push(headers?.get('traceparent') ?? ''),
  })
  await ops.connection.flush()
  return traced
}
