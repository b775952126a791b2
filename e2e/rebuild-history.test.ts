import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openDatabase } from '@tripline/kit/postgres'
import { runCommand } from '@tripline/testkit/infra/run-command'
import { testLog } from '@tripline/testkit/log'
import { rootDir } from '@tripline/testkit/paths'
import { newTrader, type Trader } from '@tripline/testkit/people/trader'
import { type Product, startProduct } from '@tripline/testkit/stack/product'
import { waitFor } from '@tripline/testkit/wait-for'

type Rows = Record<string, Record<string, unknown>[]>

let product: Product
let trader: Trader
beforeAll(async () => {
  product = await startProduct({ ephemeral: true, ownServers: true })
  trader = await newTrader(product)
}, 90_000)
afterAll(async () => await product.stop())

const buy = 'MyBot(BTCUSDT) { market(buy, 0.01) }'

test('history is made anew from the stream while the product runs, and is the same', async () => {
  for (const message of [
    buy,
    'MyBot(BTCUSDT) { market(buy, 0.01); oco { stop(sell, 100%, -5%); limit(sell, 100%, +5%) } }',
    'MyBot(ETHUSDT) { market(buy, 100000000) }',
    'Nobody(BTCUSDT) { market(buy, 1) }',
    JSON.stringify({ message: `${buy}\nMyBot(ETHUSDT) { balance; wait(1s); cancel }`, id: 'once' }),
  ]) {
    await trader.send(message, '?wait=20000')
  }
  await waitFor(async () => {
    const executions = await trader.executions()
    return executions.length === 6 && executions.every((one) => one.overall_status !== 'running')
  })
  const before = await rowsOfHistory()
  expect(before['execution']).toHaveLength(6)
  expect(before['event']?.length).toBeGreaterThan(20)

  await spoilHistory()
  expect(await rowsOfHistory()).not.toEqual(before)
  await rebuild()
  expect(await rowsOfHistory()).toEqual(before)

  // The product went on meanwhile, with all its servers.
  await trader.send(buy, '?wait=20000')
  const last = await waitFor(async () => {
    const executions = await trader.executions()
    return executions.length === 7 && executions[0]
  })
  expect(last.webhook_payload.message).toBe(buy)
}, 120_000)

/** Runs `npm run ops -- rebuild history` with history's own settings, on the servers of the running product. */
async function rebuild(): Promise<void> {
  await runCommand(process.execPath, ['scripts/ops.ts', 'rebuild', 'history'], {
    cwd: rootDir,
    env: { PATH: process.env['PATH'], ...product.settings('history') },
  })
}

async function onHistory<Value>(
  act: (db: ReturnType<typeof openDatabase<Record<string, Record<string, unknown>>>>) => Promise<Value>,
): Promise<Value> {
  const { url } = product.servers.postgres
  const db = openDatabase<Record<string, Record<string, unknown>>>(url, 'history', testLog('test'))
  try {
    return await act(db)
  } finally {
    await db.destroy()
  }
}

async function rowsOfHistory(): Promise<Rows> {
  return await onHistory(async (db) => {
    const tables = ['execution', 'command', 'event', 'placed_order']
    const found = await Promise.all(
      tables.map(async (table) => await db.selectFrom(table).selectAll().execute()),
    )
    const inOrder = (rows: Record<string, unknown>[]) =>
      rows.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
    return Object.fromEntries(tables.map((table, index) => [table, inOrder(found[index] ?? [])]))
  })
}

/** Loses some rows, and makes others wrong. */
async function spoilHistory(): Promise<void> {
  await onHistory(async (db) => {
    const [first] = await trader.executions()
    await db.deleteFrom('execution').where('id', '=', first?.id).execute()
    await db.updateTable('execution').set({ status: 'partial', error: 'spoiled' }).execute()
    await db.updateTable('command').set({ status: 'failed' }).execute()
    await db.deleteFrom('event').execute()
  })
}
