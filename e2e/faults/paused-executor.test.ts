import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { freePort } from '@tripline/testkit/infra/free-port'
import { rootDir } from '@tripline/testkit/paths'
import { newTrader, type Trader } from '@tripline/testkit/people/trader'
import { type Product, startProduct } from '@tripline/testkit/stack/product'
import { waitFor } from '@tripline/testkit/wait-for'
import { z } from 'zod'
import { addFault, journal } from './crash.ts'

let product: Product
let trader: Trader
let paused: ChildProcess | undefined

beforeAll(async () => {
  product = await startProduct({ ephemeral: true })
  trader = await newTrader(product)
}, 90_000)
afterAll(async () => {
  paused?.kill('SIGKILL')
  await product.stop()
})

/** An executor that a signal can stop and let go on. */
async function startPausable(): Promise<ChildProcess> {
  const port = await freePort()
  const child = spawn(process.execPath, [path.join(rootDir, 'services/executor/src/main.ts')], {
    env: { PATH: process.env['PATH'], ...product.settings('executor'), PORT: `${port}`, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await waitFor(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok, { deadlineMs: 60_000 })
  return child
}

async function send(side: string): Promise<string> {
  const { status, body } = await trader.send(`MyBot(BTCUSDT) { market(${side}, 0.01) }`, '?wait=1')
  expect(status).toBe(202)
  return z.string().parse(body['alert_id'])
}

test.each([
  ['an order waits for its answer', { action: 'accept-then-delay', ms: 20_000 }, 'accepted'],
  ['an order is on its way', { action: 'delay', ms: 2000 }, undefined],
  ['an order was lost', { action: 'drop' }, 'dropped'],
])(
  'row 8: an executor that is paused past its lease while %s sends nothing when it goes on',
  async (_name, fault, seen) => {
    await product.stopService('executor')
    paused = await startPausable()
    await addFault(product, fault)
    const before = (await journal(product)).length
    const alertIds = [await send('buy'), await send('sell'), await send('buy')]
    if (seen !== undefined) await waitFor(async () => (await journal(product))[before]?.outcome === seen)
    paused.kill('SIGSTOP')
    await product.restart('executor')
    // Ready means that the leases of the one that stands still were taken over.
    const exit = once(paused, 'exit')
    paused.kill('SIGCONT')
    expect(await exit).toEqual([1, null])
    await expectSuccess(alertIds)
    const requests = (await journal(product)).slice(before)
    const accepted = requests.filter(({ outcome }) => outcome === 'accepted')
    expect(accepted.map(({ clientOrderId }) => clientOrderId?.slice(1, 27))).toEqual(alertIds)
  },
  120_000,
)

async function expectSuccess(alertIds: string[]): Promise<void> {
  await waitFor(
    async () => {
      const rows = await trader.executions(100)
      return alertIds.every((id) => rows.find((row) => row.alert_id === id)?.overall_status === 'success')
    },
    { deadlineMs: 60_000 },
  )
}
