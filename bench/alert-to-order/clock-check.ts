import { Client } from 'undici'
import { takeJournal } from './paper.ts'
import { microsecondsBetween, nowNs } from './wall-clock.ts'

/** The µs that the paper exchange's clock is ahead of ours: between these. */
export interface ClockOffset {
  atLeast: number
  atMost: number
}

const tries = 300

/** Bounds how far the two wall clocks are apart, from requests that were received between being sent and answered. */
export async function checkClocks(paperUrl: string): Promise<ClockOffset> {
  const client = new Client(paperUrl)
  await takeJournal(paperUrl)
  const asked: { sentNs: bigint; answeredNs: bigint }[] = []
  for (let index = 0; index < tries; index++) {
    const sentNs = nowNs()
    // Without a signature it is refused, and written down all the same.
    const { body } = await client.request({ method: 'POST', path: '/fapi/v1/order', body: 'symbol=BTCUSDT' })
    const answeredNs = nowNs()
    await body.dump()
    asked.push({ sentNs, answeredNs })
  }
  const entries = await takeJournal(paperUrl)
  await client.close()
  const received = (index: number): bigint => entries[index]?.receivedNs ?? 0n
  return {
    atLeast: Math.max(
      ...asked.map(({ answeredNs }, index) => microsecondsBetween(answeredNs, received(index))),
    ),
    atMost: Math.min(...asked.map(({ sentNs }, index) => microsecondsBetween(sentNs, received(index)))),
  }
}
