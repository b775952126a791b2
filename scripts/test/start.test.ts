import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { freePort } from '../infra/free-port.ts'
import { temporaryFolder } from '../infra/temporary-folder.ts'
import { rootDir } from '../paths.ts'
import { waitUntil } from '../wait-until.ts'

let scratch: Awaited<ReturnType<typeof temporaryFolder>>
let env: NodeJS.ProcessEnv
const started: ChildProcess[] = []

beforeEach(async () => {
  scratch = await temporaryFolder()
  const { DATABASE_URL: _1, REDIS_URL: _2, NATS_URL: _3, ...inherited } = process.env
  const ports = { PORT: String(await freePort()), PAPER_PORT: String(await freePort()) }
  env = { ...inherited, ...ports, TRIPLINE_DATA: scratch.folder }
})

afterEach(async () => {
  await Promise.all(started.splice(0).map((launcher) => endWith(launcher, 'SIGTERM')))
  await scratch.remove()
})

interface Run {
  launcher: ChildProcess
  printed: () => string
}

function start(): Run {
  const launcher = spawn('node', ['scripts/bootstrap.mjs', 'start'], { cwd: rootDir, env })
  started.push(launcher)
  let printed = ''
  for (const stream of [launcher.stdout, launcher.stderr]) {
    stream.on('data', (chunk) => {
      printed += chunk
    })
  }
  return { launcher, printed: () => printed }
}

async function startWhole(): Promise<Run> {
  const run = start()
  const isSettled = () => run.launcher.exitCode !== null || run.printed().includes('The first alert')
  await waitUntil(isSettled, { deadlineMs: 90_000, what: 'the product to run' })
  if (run.launcher.exitCode !== null) throw new Error(run.printed())
  return run
}

async function endWith(launcher: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (launcher.exitCode !== null || launcher.signalCode !== null) return launcher.exitCode
  launcher.kill(signal)
  const [code] = await once(launcher, 'close')
  return code
}

function printedValue(name: string, printed: string): string {
  return new RegExp(`${name} +(\\S.*)`).exec(printed)?.[1] ?? ''
}

/** Everything that runs on the data folder or serves it. */
async function livingPids(): Promise<number[]> {
  const folder = path.join(scratch.folder, 'pids')
  const files = await readdir(folder).catch(() => [])
  const pids = await Promise.all(
    files.map(async (file) => JSON.parse(await readFile(path.join(folder, file), 'utf8')).pid),
  )
  return pids.filter((pid) => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  })
}

test('what it prints is the first alert; a stop leaves nothing, a second start finds everything again', async () => {
  const first = await startWhole()
  const webhook = printedValue('Webhook URL', first.printed())
  const alert = 'MyBot(BTCUSDT) { market(buy, 0.01) }'
  expect(first.printed()).toContain(`curl -X POST ${webhook} -d '${alert}'`)
  const answer = await fetch(`${webhook}?wait=20000`, { method: 'POST', body: alert })
  expect(await answer.json()).toMatchObject({ status: 'success', results: [{ symbol: 'BTCUSDT' }] })
  expect(await endWith(first.launcher, 'SIGTERM')).toBe(0)
  expect(await livingPids()).toEqual([])
  const second = await startWhole()
  expect(printedValue('Demo login', second.printed())).toBe(printedValue('Demo login', first.printed()))
  expect(printedValue('Webhook URL', second.printed())).toBe(webhook)
}, 180_000)

test('a second start on the same folder is refused, and the first goes on', async () => {
  await startWhole()
  const second = start()
  const [code] = await once(second.launcher, 'close')
  expect([code, second.printed()]).toEqual([1, expect.stringContaining(`already runs on ${scratch.folder}`)])
  const isHealthy = async () => (await fetch(`http://localhost:${env['PORT']}/api/health`)).status === 200
  await waitUntil(isHealthy, { deadlineMs: 30_000, what: 'the first to serve' })
}, 120_000)

test('a service that dies is reported and started again', async () => {
  const { printed } = await startWhole()
  const record = await readFile(path.join(scratch.folder, 'pids/executor.json'), 'utf8')
  process.kill(JSON.parse(record).pid, 'SIGKILL')
  await waitUntil(() => printed().includes('executor ended (SIGKILL) and is started again'))
  await waitUntil(
    async () => (await readFile(path.join(scratch.folder, 'pids/executor.json'), 'utf8')) !== record,
    { what: 'a new executor' },
  )
  const isHealthy = async () => (await fetch(`http://localhost:${env['PORT']}/api/health`)).status === 200
  await waitUntil(isHealthy, { deadlineMs: 30_000, what: 'the new executor to serve' })
}, 120_000)

test('a launcher that is killed takes everything along', async () => {
  const { launcher } = await startWhole()
  expect((await livingPids()).length).toBe(12)
  await endWith(launcher, 'SIGKILL')
  await waitUntil(async () => (await livingPids()).length === 0, {
    deadlineMs: 20_000,
    what: 'everything to end',
  })
}, 120_000)
