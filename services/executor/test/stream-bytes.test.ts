import { expect, test } from '@jest/globals'
import type { AlertId } from '@tripline/proto/id'
import { streams } from '@tripline/proto/subject'
import { waitFor } from '@tripline/testkit/wait-for'
import { buildRig } from './rig.ts'

test('an executor exports how much the bus stores of each stream', async () => {
  const rig = await buildRig()
  try {
    const { port } = await rig.startExecutor()
    await rig.resultOf(await rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }'))
    await rig.noAlertsWait()
    const exported = async (): Promise<number[]> => {
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
      const lines = text.matchAll(
        /^tripline_stream_bytes\{stream="(?:ALERTS|EVENTS)",process="executor"\} (\S+)$/gm,
      )
      return [...lines].map(([, value]) => Number(value))
    }
    const stored = async (): Promise<number[]> =>
      await Promise.all(
        ['ALERTS', 'EVENTS'].map(async (name) => (await rig.ops.manager.streams.info(name)).state.bytes),
      )
    expect((await stored())[1]).toBeGreaterThan(1000)
    await waitFor(async () => `${await exported()}` === `${await stored()}`)
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    for (const name of ['ALERTS', 'EVENTS'] as const)
      expect(text).toContain(
        `tripline_stream_room_bytes{stream="${name}",process="executor"} ${streams[name].maxBytes}`,
      )
    expect(text).toContain('tripline_stream_copies_behind{stream="ALERTS",process="executor"} 0')
    expect(text).toContain('tripline_stored_alert_age_seconds{process="executor"} 0')
    await rig.send('MyBot(BTCUSDT) { wait(1h) }')
    await waitFor(async () => {
      const now = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
      const ages = ['alert', 'event'].map((kind) =>
        Number(new RegExp(`^tripline_stored_${kind}_age_seconds\\{.*\\} (\\S+)$`, 'm').exec(now)?.[1]),
      )
      return ages.every((age) => age > 0.5)
    })
  } finally {
    await rig.stop()
  }
})

test('an alert of 14 kB with twenty blocks is published with its text once', async () => {
  const rig = await buildRig()
  try {
    const blocks = Array.from({ length: 20 }, () => 'MyBot(BTCUSDT) { balance(USDT) }')
    const message = `${blocks.join('\n')}\n// ${'x'.repeat(14_000)}`
    const body = JSON.stringify({ message })
    await rig.startExecutor()
    const alertId = await rig.send(message, { body })
    await rig.resultOf(alertId)
    await rig.noAlertsWait()
    const events = await rig.eventsOf(alertId, 'execution.finished')
    const received = events.filter((event) => event.kind === 'execution.received')
    expect(received.map(({ executionId }) => executionId)).toEqual(
      blocks.map((_, block) => `${alertId}-${block}`),
    )
    expect(received.map((event) => [event.message, event.body])).toEqual([
      [message, body],
      ...Array.from({ length: 19 }, () => ['', undefined]),
    ])
    // Of each block four events of less than 700 bytes, and the text twice, as message and as body.
    const { bytes } = (await rig.ops.manager.streams.info('EVENTS')).state
    expect(bytes).toBeLessThan(2 * 15_000 + 20 * 4 * 700)
  } finally {
    await rig.stop()
  }
})

test('alerts run and leave their stream while EVENTS is full, and the last events are stored', async () => {
  const rig = await buildRig()
  try {
    await rig.ops.manager.streams.update('EVENTS', { max_bytes: 20_000 })
    await rig.startExecutor()
    const results: string[] = []
    let last: AlertId | undefined
    for (let sent = 0; sent < 12; sent++) {
      last = await rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }')
      const result = await rig.resultOf(last)
      results.push(result.outcome === 'executed' ? result.status : result.outcome)
    }
    expect(results).toEqual(Array.from({ length: 12 }, () => 'success'))
    await rig.noAlertsWait()
    const { state } = await rig.ops.manager.streams.info('EVENTS')
    expect([state.first_seq > 1, state.bytes <= 20_000]).toEqual([true, true])
    if (last === undefined) throw new Error('none was sent')
    expect(await rig.eventsOf(last, 'execution.finished')).toHaveLength(6)
  } finally {
    await rig.stop()
  }
})
