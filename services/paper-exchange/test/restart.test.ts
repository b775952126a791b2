import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { ask, type Credentials, call, find, type Paper, place, startPaper } from './paper.ts'

let folder: string

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'paper-')), 'data')
})

const children: ChildProcess[] = []

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const start = async () => await startPaper({ PAPER_DATA_DIR: folder })
const file = () => join(folder, 'paper-exchange.jsonl')

async function everything(paper: Paper, credentials: Credentials) {
  const read = async (path: string, values = {}) => (await call(paper, credentials, 'GET', path, values)).body
  return {
    account: await read('/fapi/v3/account'),
    positions: await read('/fapi/v3/positionRisk'),
    orders: await read('/fapi/v1/allOrders', { symbol: 'BTCUSDT' }),
    open: await read('/fapi/v1/openOrders'),
    trades: await read('/fapi/v1/userTrades', { symbol: 'BTCUSDT' }),
  }
}

test('accounts, balances, positions, orders and fills are there again after a restart', async () => {
  const first = await start()
  const credentials = await first.open()
  await place(first, credentials, { newClientOrderId: 'tOne' })
  await place(first, credentials, { side: 'SELL', quantity: '0.004', newClientOrderId: 'tTwo' })
  await place(first, credentials, {
    type: 'LIMIT',
    price: '59000',
    timeInForce: 'GTC',
    newClientOrderId: 'tRest',
  })
  const cancel = { symbol: 'BTCUSDT', origClientOrderId: 'tGone' }
  await place(first, credentials, {
    type: 'LIMIT',
    price: '58000',
    timeInForce: 'GTC',
    newClientOrderId: 'tGone',
  })
  await call(first, credentials, 'DELETE', '/fapi/v1/order', cancel)
  const before = await everything(first, credentials)
  await first.stop()

  const second = await start()
  expect(await everything(second, credentials)).toEqual(before)
  expect((await place(second, credentials, { newClientOrderId: 'tRest' })).body).toMatchObject({
    code: -4116,
  })
  const later = (await place(second, credentials, { newClientOrderId: 'tLater' })).body as { orderId: number }
  const known = (await find(second, credentials, 'tGone')).body as { orderId: number }
  expect(later.orderId).toBeGreaterThan(known.orderId)
  await second.stop()

  const third = await start()
  expect((await find(third, credentials, 'tLater')).status).toBe(200)
  expect((await find(third, credentials, 'tOne')).status).toBe(200)
  await third.stop()
})

test('a killed process loses nothing that it has confirmed', async () => {
  const killed = await startProcess()
  const credentials = (await ask(`${killed.root}/control/accounts`, { method: 'POST' })).body as Credentials
  for (const id of ['tOne', 'tTwo', 'tThree']) await place(killed, credentials, { newClientOrderId: id })
  killed.process.kill('SIGKILL')
  await once(killed.process, 'exit')
  const paper = await start()
  for (const id of ['tOne', 'tTwo', 'tThree']) expect((await find(paper, credentials, id)).status).toBe(200)
  expect((await call(paper, credentials, 'GET', '/fapi/v3/positionRisk')).body).toMatchObject([
    { positionAmt: '0.030' },
  ])
  await paper.stop()
})

async function startProcess() {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
  const env = { PORT: '0', TRIPLINE_MODE: 'local', PAPER_DATA_DIR: folder }
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  for await (const line of createInterface(child.stdout)) {
    const { port } = JSON.parse(line) as { port?: number }
    if (port !== undefined) return { process: child, root: `http://127.0.0.1:${port}` }
  }
  throw new Error('the process ended before it listened')
}

test('a line that a crash cut off is left out', async () => {
  const first = await start()
  const credentials = await first.open()
  await place(first, credentials, { newClientOrderId: 'tOne' })
  const before = await everything(first, credentials)
  await first.stop()
  appendFileSync(file(), `{"apiKey":"${credentials.apiKey}","order":{"id":40000`)
  const second = await start()
  expect(await everything(second, credentials)).toEqual(before)
  await place(second, credentials, { newClientOrderId: 'tTwo' })
  await second.stop()
  const third = await start()
  expect((await find(third, credentials, 'tTwo')).status).toBe(200)
  await third.stop()
})

test('a file that is damaged otherwise stops the start instead of losing accounts', async () => {
  const first = await start()
  await first.open()
  await first.stop()
  appendFileSync(file(), 'not a line\n')
  await expect(start()).rejects.toThrow()
})

test('an order that ended long ago is forgotten, sooner where nothing of it was filled', async () => {
  const begun = Date.now()
  const startAfter = async (days: number) => {
    const timestamp = begun + days * 86_400_000
    const clock = { nowMs: () => timestamp, nowNs: () => BigInt(timestamp) * 1_000_000n }
    return { timestamp, paper: await startPaper({ PAPER_DATA_DIR: folder }, { clock }) }
  }
  const { paper, timestamp } = await startAfter(0)
  const credentials = await paper.open()
  const rest = { type: 'LIMIT', price: '58000', timeInForce: 'GTC', newClientOrderId: 'tGone', timestamp }
  await place(paper, credentials, { newClientOrderId: 'tFilled', timestamp })
  await place(paper, credentials, rest)
  const gone = { symbol: 'BTCUSDT', origClientOrderId: 'tGone', timestamp }
  await call(paper, credentials, 'DELETE', '/fapi/v1/order', gone)
  await place(paper, credentials, { ...rest, newClientOrderId: 'tOpen' })
  await paper.stop()
  const namesAfter = async (days: number): Promise<unknown[]> => {
    const { paper: later, timestamp: now } = await startAfter(days)
    const asked = { symbol: 'BTCUSDT', startTime: timestamp, endTime: timestamp + 1, timestamp: now }
    const { body } = await call(later, credentials, 'GET', '/fapi/v1/allOrders', asked)
    await later.stop()
    return (body as { clientOrderId: string }[]).map(({ clientOrderId }) => clientOrderId)
  }
  expect(await namesAfter(2)).toEqual(['tFilled', 'tGone', 'tOpen'])
  expect(await namesAfter(4)).toEqual(['tFilled', 'tOpen'])
  expect(await namesAfter(91)).toEqual(['tOpen'])
})

test('the file is for its owner only and nothing else is left beside it', async () => {
  const paper = await start()
  await paper.open()
  expect(readdirSync(folder)).toEqual(['paper-exchange.jsonl'])
  expect(statSync(file()).mode & 0o077).toBe(0)
  await paper.stop()
})
