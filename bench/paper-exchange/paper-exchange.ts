import { fork } from 'node:child_process'
import path from 'node:path'
import type { Closers } from '@tripline/testkit/closers'
import { paperExchange as startPaper } from '@tripline/testkit/paper-exchange'
import { phase } from '@tripline/testkit/progress'
import { overRounds, type Summary, summarize } from '../statistics.ts'
import { textTable } from '../table.ts'
import { openRawConnection, type RawConnection, rawRequest } from './raw-connection.ts'
import { type Account, binanceRequest, bybitRequest } from './requests.ts'

const accountCount = 1000
const ordersEach = 10

const plans = { full: { rounds: 5, requests: 1000 }, quick: { rounds: 2, requests: 200 } }

/** A kind of request: how the next one is made, and what its answer must hold. */
interface Row {
  name: string
  next: () => string
  answers: string
}

/**
 * Measures how long the exchange takes to answer a raw client on one kept-alive connection, while it holds 1,000
 * accounts and 10,000 open orders, beside a process that only answers. Returns the table.
 */
export async function paperExchange(pace: keyof typeof plans, closers: Closers): Promise<string> {
  const paper = await startPaper()
  await closers.add(async () => await paper.stop())
  const connection = await openRawConnection(Number(new URL(paper.url).port))
  const floor = await openFloor(closers)
  await closers.add(async () => connection.close())
  const trader = await paper.openAccount({ USDT: '1000000', BTC: '100' })
  await phase('opened accounts and orders', async () => {
    for (let index = 0; index < accountCount; index++) await restOrders(connection, await paper.openAccount())
  })
  const lines: Line[] = [
    { connection: floor, row: justAnswering },
    ...rowsOf(trader).map((row) => ({ connection, row })),
  ]
  const measured = await phase('measured', async () => await measureAll(lines, plans[pace]))
  return `\n${report(measured)}\n`
}

function rowsOf(trader: Account): Row[] {
  const sides = alternating()
  const market = (symbol: string, quantity: string) => ({ symbol, type: 'MARKET', quantity, side: sides() })
  return [
    {
      name: 'futures: market order',
      next: () =>
        binanceRequest(trader, 'POST', '/fapi/v1/order', {
          ...market('BTCUSDT', '0.01'),
          newOrderRespType: 'RESULT',
        }),
      answers: '"FILLED"',
    },
    {
      name: 'futures: limit order that is not filled',
      next: () =>
        binanceRequest(trader, 'POST', '/fapi/v1/order', {
          symbol: 'ETHUSDT',
          side: 'BUY',
          type: 'LIMIT',
          timeInForce: 'IOC',
          quantity: '0.1',
          price: '2900',
          newOrderRespType: 'RESULT',
        }),
      answers: '"EXPIRED"',
    },
    {
      name: 'futures: position',
      next: () => binanceRequest(trader, 'GET', '/fapi/v3/positionRisk', { symbol: 'BTCUSDT' }),
      answers: '[',
    },
    {
      name: 'spot: market order',
      next: () => binanceRequest(trader, 'POST', '/api/v3/order', market('BTCUSDT', '0.01')),
      answers: '"FILLED"',
    },
    {
      name: 'Bybit: market order',
      next: () =>
        bybitRequest(trader, '/v5/order/create', {
          category: 'linear',
          symbol: 'BTCUSDT',
          side: sides() === 'BUY' ? 'Buy' : 'Sell',
          orderType: 'Market',
          qty: '0.01',
        }),
      answers: '"retCode":0',
    },
  ]
}

function alternating(): () => 'BUY' | 'SELL' {
  let count = 0
  return () => (count++ % 2 === 0 ? 'BUY' : 'SELL')
}

async function restOrders(connection: RawConnection, account: Account): Promise<void> {
  for (let index = 0; index < ordersEach; index++) {
    const price = `${58_000 + index * 100}`
    const order = {
      symbol: 'BTCUSDT',
      side: 'BUY',
      type: 'LIMIT',
      timeInForce: 'GTC',
      quantity: '0.002',
      price,
    }
    const { body } = await connection.send(binanceRequest(account, 'POST', '/fapi/v1/order', order))
    if (!body.includes('"NEW"')) throw new Error(`The order does not rest: ${body}`)
  }
}

/** A row and where its requests go. */
interface Line {
  connection: RawConnection
  row: Row
}

const justAnswering: Row = {
  name: 'only answering',
  next: () => rawRequest('POST', '/', {}),
  answers: 'answer',
}

/** The lines take turns, round by round; the first round warms up and does not count. */
async function measureAll(
  lines: readonly Line[],
  { rounds, requests }: (typeof plans)['full'],
): Promise<Map<string, Summary[]>> {
  const measured = new Map<string, Summary[]>(lines.map(({ row }) => [row.name, []]))
  for (let round = 0; round <= rounds; round++) {
    for (const line of lines) {
      const summary = await measure(line, requests)
      if (round > 0) measured.get(line.row.name)?.push(summary)
    }
  }
  return measured
}

async function measure({ connection, row }: Line, requests: number): Promise<Summary> {
  const took: number[] = []
  for (let index = 0; index < requests; index++) {
    const { body, micros } = await connection.send(row.next())
    if (!body.includes(row.answers)) throw new Error(`${row.name}: ${body}`)
    took.push(micros)
  }
  return summarize(took)
}

async function openFloor(closers: Closers): Promise<RawConnection> {
  const child = fork(path.join(import.meta.dirname, 'floor.ts'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await closers.add(async () => child.kill())
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message: { port: number }) => resolve(message.port))
    child.once('exit', () => reject(new Error('The process that only answers ended')))
  })
  return await openRawConnection(port)
}

function report(measured: ReadonlyMap<string, readonly Summary[]>): string {
  const rows = [...measured].map(([name, rounds]) => ({ name, ...overRounds(rounds) }))
  const limit = rows[0]?.p50 ?? Number.NaN
  return [
    `From sending a request to having its whole answer, in µs, with ${accountCount} accounts and`,
    `${accountCount * ordersEach} open orders; medians over the rounds. The ratio is of medians, to a process that only answers.`,
    '',
    textTable(
      ['', 'ratio', 'p50', 'p90', 'p99', 'requests'],
      rows.map(({ name, p50, p90, p99, count }) => [
        name,
        (p50 / limit).toFixed(2),
        ...[p50, p90, p99].map((micros) => micros.toFixed(0)),
        `${count}`,
      ]),
    ),
  ].join('\n')
}
