import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { expect, test } from '@jest/globals'
import { freePort } from '@tripline/testkit/infra/free-port'
import { waitFor } from '@tripline/testkit/wait-for'
import { post, type Surroundings, surroundings } from './surroundings.ts'

const message = 'MyBot(BTCUSDT) { market(buy, 0.01) }'

async function startProcess(
  around: Surroundings,
): Promise<{ child: ChildProcess; output: () => string; port: number }> {
  const port = await freePort()
  const child = spawn(process.execPath, [path.join(import.meta.dirname, '../src/main.ts')], {
    env: { ...around.settings, PORT: String(port), LOG_LEVEL: 'trace' },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  return { child, output: () => output, port }
}

test('the process serves, logs no token, and ends on SIGTERM', async () => {
  const around = await surroundings()
  await around.execute()
  const user = await around.addUser()
  const { child, output, port } = await startProcess(around)
  const intake = { port, stop: async () => {} }
  await waitFor(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok)
  const statuses = [
    await post(intake, user.token, message),
    await post(intake, user.token, '{}'),
    await post(intake, user.token, 'x'.repeat(70_000)),
    await post(intake, `${user.token}x`, message),
  ].map(({ status }) => status)
  expect(statuses).toEqual([200, 400, 413, 404])
  child.kill('SIGTERM')
  expect(await once(child, 'close')).toEqual([0, null])
  expect(output()).toContain('alert answered')
  expect(output()).not.toContain(user.token)
  await around.stop()
})
