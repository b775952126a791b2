import { expect, test } from '@jest/globals'
import { waitFor } from '@tripline/testkit/wait-for'
import { buildRig } from './rig.ts'

test('an executor tells how much the bus stores of each stream', async () => {
  const rig = await buildRig()
  try {
    const { port } = await rig.startExecutor()
    await rig.resultOf(await rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }'))
    await rig.noAlertsWait()
    const told = async (): Promise<number[]> => {
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
    await waitFor(async () => `${await told()}` === `${await stored()}`)
  } finally {
    await rig.stop()
  }
})
