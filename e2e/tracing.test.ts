import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { temporaryFolder } from '@tripline/testkit/infra/temporary-folder'
import { crowdTargetOf, openCrowd, operatorBus } from '@tripline/testkit/people/crowd'
import { newTrader, type Trader } from '@tripline/testkit/people/trader'
import { type Product, startProduct } from '@tripline/testkit/stack/product'
import { waitFor } from '@tripline/testkit/wait-for'
import { z } from 'zod'
import { readSpans, type Span, traceOf } from './spans.ts'

const strangersTrace = '0af7651916cd43dd8448eb211c80319c'
const waitS = 15

let folder: string
let removeFolder: () => Promise<void>
beforeAll(async () => {
  ;({ folder, remove: removeFolder } = await temporaryFolder())
})
afterAll(async () => await removeFolder())

describe('with every alert traced', () => {
  let product: Product
  let trader: Trader
  let file: string

  beforeAll(async () => {
    file = path.join(folder, 'spans.jsonl')
    const env = { TRACE_SAMPLE: '1', TRACE_FILE: file }
    product = await startProduct({ ephemeral: true, ownServers: true, env })
    trader = await newTrader(product)
  }, 90_000)
  afterAll(async () => await product.stop())

  test('one alert is one trace, from the webhook to the exchange and to the notification', async () => {
    const live = await trader.openStream()
    const response = await fetch(`${trader.webhookUrl}?wait=20000`, {
      method: 'POST',
      headers: { traceparent: `00-${strangersTrace}-b7ad6b7169203331-01` },
      body: 'MyBot(BTCUSDT) { market(buy, 0.01) }',
    })
    const answer = z
      .object({ alert_id: z.string(), execution_id: z.string(), status: z.literal('success') })
      .parse(await response.json())
    const readers = ['history event.take', 'notifier event.take', 'gateway event.stream']
    const spans = await waitFor(async () => {
      const tree = traceOf(await readSpans(file), answer.alert_id)
      const last = tree.filter((span) => eventOf(span) === `${answer.execution_id}.-.finished`)
      const ends = ['webhook.pass', 'alert.receive', 'alert.run']
      const isWhole = ends.every((end) => tree.some(({ name }) => name === end))
      return isWhole && readers.every((reader) => last.some((span) => titleOf(span) === reader)) && tree
    })
    live.stop()
    expect(spans[0]?.traceId).not.toBe(strangersTrace)
    const ways = spans.map((span) => wayTo(span, spans))
    expect([...new Set(ways)].toSorted()).toEqual([
      'gateway webhook.pass',
      'gateway webhook.pass > intake alert.receive',
      'gateway webhook.pass > intake alert.receive > intake alert.read',
      'gateway webhook.pass > intake alert.receive > intake alert.store',
      `${toRun}`,
      `${toRun} > executor execution.run`,
      `${toRun} > executor execution.run > executor command.run`,
      `${toRun} > executor execution.run > executor command.run > executor venue.place`,
      `${toRun} > executor execution.run > executor command.run > gateway event.stream`,
      `${toRun} > executor execution.run > executor command.run > history event.take`,
      `${toRun} > executor execution.run > executor command.run > notifier event.take`,
      `${toRun} > executor execution.run > gateway event.stream`,
      `${toRun} > executor execution.run > history event.take`,
      `${toRun} > executor execution.run > notifier event.take`,
      'gateway webhook.pass > intake alert.receive > intake result.await',
    ])
    expect(momentsInOrder(spans)).toEqual(momentsInOrder(spans).toSorted((one, other) => one - other))
    for (const reader of readers) {
      const events = spans.filter((span) => titleOf(span) === reader).map(eventOf)
      const command = ['0.started', '0.sent', '0.acknowledged', '0.finished']
      const all = ['-.received', ...command, '-.finished'].map((end) => `${answer.execution_id}.${end}`)
      expect(events.toSorted()).toEqual(all.toSorted())
    }
    const [place] = spans.filter(({ name }) => name === 'venue.place')
    expect(place?.attributes).toEqual({ 'tripline.venue': 'paper_futures', 'tripline.outcome': 'done' })
  })

  test('a span says nothing of a person, and no address', async () => {
    const text = await readFile(file, 'utf8')
    const [, token] = /\/webhook\/([^/]+)$/.exec(trader.webhookUrl) ?? []
    expect(token).toMatch(/^\S{20,}$/)
    for (const secret of [token ?? '', 'MyBot', 'BTCUSDT', 'market(buy', '127.0.0.1'])
      expect(text.includes(secret)).toBe(false)
  })

  test('a refused alert is a trace, up to its row in the history', async () => {
    const { body } = await trader.send('MyBot(BTCUSDT) { markt(buy, 0.01) }')
    const alertId = z.string().parse(body['alert_id'])
    const spans = await waitFor(async () => {
      const tree = traceOf(await readSpans(file), alertId)
      const ends = ['history event.take', 'intake alert.receive', 'gateway webhook.pass']
      return ends.every((end) => tree.some((span) => titleOf(span) === end)) && tree
    })
    const [received] = spans.filter(({ name }) => name === 'alert.receive')
    expect(received?.attributes).toMatchObject({
      'tripline.outcome': 'failed',
      'http.response.status_code': 400,
    })
    expect(spans.map((span) => wayTo(span, spans))).toContain(
      'gateway webhook.pass > intake alert.receive > history event.take',
    )
  })

  test('an alert that another executor ends is one trace with two runs, and nothing of it hangs in the air', async () => {
    const message = `MyBot(ETHUSDT) { market(buy, 0.1); wait(${waitS}); market(sell, 0.1) }`
    const { body } = await trader.send(message, '?wait=1')
    const alertId = z.string().parse(body['alert_id'])
    // It is on the bus before anybody learns that it waits.
    await waitFor(async () =>
      traceOf(await readSpans(file), alertId).some((span) => eventOf(span)?.endsWith('.1.waiting')),
    )
    await product.restart('executor')
    const spans = await waitFor(
      async () => {
        const tree = traceOf(await readSpans(file), alertId)
        return tree.filter(({ name }) => name === 'alert.run').length === 2 && tree
      },
      { deadlineMs: 60_000 },
    )
    const ids = new Set(spans.map(({ spanId }) => spanId))
    expect(spans.filter(({ parentSpanId }) => parentSpanId !== null && !ids.has(parentSpanId))).toEqual([])
    expect(spans.filter(({ name }) => name === 'venue.place')).toHaveLength(2)
    const runs = spans.filter(({ name }) => name === 'alert.run')
    expect(runs.map((span) => wayTo(span, spans))).toEqual([toRun, toRun])
    expect(
      runs.map(({ attributes }) => [attributes['tripline.outcome'], attributes['tripline.resumed']]),
    ).toEqual([
      ['interrupted', false],
      ['success', true],
    ])
  }, 120_000)
})

describe('with tracing off', () => {
  let product: Product
  let file: string

  beforeAll(async () => {
    file = path.join(folder, 'none.jsonl')
    const env = { TRACE_SAMPLE: '0', TRACE_FILE: file }
    const services = ['paper-exchange', 'intake', 'executor', 'history'] as const
    product = await startProduct({ ephemeral: true, ownServers: true, env, services })
  }, 90_000)
  afterAll(async () => await product.stop())

  test('no message has a header of it, and no file is written', async () => {
    const ops = await operatorBus(product)
    const [member] = await openCrowd(crowdTargetOf(product), ops, 1, 1)
    const published: { subject: string; text: string; headers: readonly string[] }[] = []
    for (const subject of ['alert.>', 'event.>', 'result.>'])
      ops.connection.subscribe(subject, {
        callback: (_error, message) => {
          const { subject, headers } = message
          published.push({ subject, text: message.string(), headers: headers?.keys() ?? [] })
        },
      })
    await ops.connection.flush()
    const answered = await waitFor(async () => {
      const response = await fetch(`${member?.webhookUrl}?wait=20000`, {
        method: 'POST',
        headers: { traceparent: `00-${strangersTrace}-b7ad6b7169203331-01` },
        body: 'Bot0(BTCUSDT) { market(buy, 0.01) }',
      })
      return response.status === 200
    })
    expect(answered).toBe(true)
    await waitFor(() => published.some(({ subject }) => subject.startsWith('result.')))
    await waitFor(() => published.some(({ text }) => text.includes('"execution.finished"')))
    expect(new Set(published.flatMap(({ headers }) => headers))).toEqual(new Set(['Nats-Msg-Id']))
    await product.stopService('executor')
    expect(existsSync(file)).toBe(false)
    await ops.close()
  })
})

const toRun = 'gateway webhook.pass > intake alert.receive > intake alert.store > executor alert.run'

function titleOf({ service, name }: Span): string {
  return `${service} ${name}`
}

function eventOf({ attributes }: Span): string | undefined {
  const id = attributes['tripline.event_id']
  return typeof id === 'string' ? id : undefined
}

/** From the beginning of the trace to the span; one whose parent is nowhere begins with a question mark. */
function wayTo(span: Span, spans: readonly Span[]): string {
  if (span.parentSpanId === null) return titleOf(span)
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId)
  return `${parent === undefined ? '?' : wayTo(parent, spans)} > ${titleOf(span)}`
}

/** Moments of one process each, as they follow one another on an alert's way. */
function momentsInOrder(spans: readonly Span[]): number[] {
  const one = (name: string): Span => {
    const found = spans.find((span) => span.name === name)
    if (found === undefined) throw new Error(`there is no span ${name}`)
    return found
  }
  const [run, execution, command, place] = ['alert.run', 'execution.run', 'command.run', 'venue.place'].map(
    one,
  )
  return [
    run?.startedAt,
    execution?.startedAt,
    command?.startedAt,
    place?.startedAt,
    place?.notes[0]?.at,
    place?.endedAt,
    command?.endedAt,
    execution?.endedAt,
    run?.endedAt,
  ].map((moment) => moment ?? Number.NaN)
}
