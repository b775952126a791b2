import { afterEach, expect, test } from '@jest/globals'
import type { Clock } from '../../src/clock.ts'
import { ask, call, type Paper, place, startPaper } from '../paper.ts'

let paper: Paper

afterEach(async () => await paper.stop())

const START = 1_795_000_000_000 - (1_795_000_000_000 % 60_000)

function clockAt(start: number): Clock & { pass: (ms: number) => void } {
  let now = start
  const pass = (ms: number): void => {
    now += ms
  }
  return { nowMs: () => now, nowNs: () => BigInt(now) * 1_000_000n, pass }
}

const weigh = async () => await ask(`${paper.root}/fapi/v1/aggTrades?symbol=BTCUSDT`)

test('an address that asks for more than its weight waits out the minute, and is banned if it does not', async () => {
  const clock = clockAt(START)
  paper = await startPaper({ PAPER_LIMITS: 'on' }, { clock })
  for (let count = 0; count < 120; count += 1) expect((await weigh()).status).toBe(200)
  const over = await weigh()
  expect(over).toMatchObject({ status: 429, body: { code: -1003 } })
  expect(over.headers.get('retry-after')).toBe('60')
  let banned = await weigh()
  while (banned.status === 429) banned = await weigh()
  expect(banned).toMatchObject({ status: 418, body: { code: -1003 } })
  expect(Number(banned.headers.get('retry-after'))).toBeGreaterThanOrEqual(119)
  clock.pass(180_000)
  expect((await weigh()).status).toBe(200)
})

test('an account may place so many orders in ten seconds', async () => {
  const clock = clockAt(START)
  paper = await startPaper({ PAPER_LIMITS: 'on' }, { clock })
  const credentials = await paper.open({ USDT: '10000000' })
  const timed = () => ({ timestamp: clock.nowMs() })
  for (let count = 0; count < 300; count += 1) {
    expect((await place(paper, credentials, timed())).status).toBe(200)
  }
  const over = await place(paper, credentials, timed())
  const msg = 'Too many new orders; current limit is 300 orders per 10 SECOND.'
  expect(over).toMatchObject({ status: 429, body: { code: -1015, msg } })
  clock.pass(10_000)
  expect((await place(paper, credentials, timed())).headers.get('x-mbx-order-count-10s')).toBe('1')
})

test('where limits are off nobody is refused and everything is counted', async () => {
  const clock = clockAt(START)
  paper = await startPaper({ PAPER_LIMITS: 'off' }, { clock })
  const credentials = await paper.open()
  for (let count = 0; count < 130; count += 1) expect((await weigh()).status).toBe(200)
  const { headers } = await call(paper, credentials, 'GET', '/fapi/v3/balance', { timestamp: clock.nowMs() })
  expect(Number(headers.get('x-mbx-used-weight-1m'))).toBeGreaterThan(2_400)
})
