import { execFile } from 'node:child_process'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { temporaryFolder } from '@tripline/testkit/infra/temporary-folder'
import { rootDir } from '@tripline/testkit/paths'
import { type Product, startProduct } from '@tripline/testkit/stack/product'

let scratch: Awaited<ReturnType<typeof temporaryFolder>>
let product: Product

beforeAll(async () => {
  scratch = await temporaryFolder()
  const env = { RESULT_WAIT_MS: '20000' }
  product = await startProduct({ dataDir: scratch.folder, ephemeral: true, ownServers: true, env })
}, 90_000)

afterAll(async () => {
  await product.stop()
  await scratch.remove()
})

interface Ended {
  code: number
  said: string
}

function runDemo(dataDir: string): Promise<Ended> {
  const args = ['--disable-warning=ExperimentalWarning', 'scripts/demo.ts']
  const options = { cwd: rootDir, env: { ...process.env, TRIPLINE_DATA: dataDir } }
  return new Promise((resolve) => {
    execFile(process.execPath, args, options, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), said: stdout + stderr }),
    )
  })
}

test('the demo sends an alert to the running product and prints its whole way', async () => {
  const { code, said } = await runDemo(scratch.folder)
  expect(said).toContain('MyBot(BTCUSDT) { market(buy, 0.01) }')
  expect(said).toMatch(/200 success after .* ms: 1 of 1 command succeeded/)
  expect(said).toMatch(/POST \/fapi\/v1\/order {2}BUY MARKET 0\.010 BTCUSDT/)
  const live = [...said.matchAll(/:\d\d\.\d{3} {2}(webhook|command|exchange)/g)].map(([, type]) => type)
  expect(live).toEqual(['webhook', 'command', 'exchange', 'exchange', 'command', 'webhook'])
  const stages = [...said.matchAll(/^ +[\d.]+ +[\d.]+ {2}(\w+)/gm)].map(([, stage]) => stage)
  const whole = ['receive', 'read', 'durable', 'check', 'plan', 'venue', 'settle', 'answer']
  expect(stages).toEqual(whole)
  expect(code).toBe(0)
})

test('the demo names the command to start where nothing runs', async () => {
  const { code, said } = await runDemo(path.join(scratch.folder, 'nothing-here'))
  expect(said).toContain('run npm start first')
  expect(code).toBe(1)
})
