import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { freePort } from '@tripline/testkit/infra/free-port'
import { runCommand } from '@tripline/testkit/infra/run-command'
import { temporaryFolder } from '@tripline/testkit/infra/temporary-folder'
import { rootDir } from '@tripline/testkit/paths'
import { waitUntil } from '@tripline/testkit/wait-until'
import { z } from 'zod'

let scratch: Awaited<ReturnType<typeof temporaryFolder>>
let env: NodeJS.ProcessEnv
const started: ChildProcess[] = []

async function openFolder(): Promise<void> {
  scratch = await temporaryFolder()
  const { DATABASE_URL: _1, REDIS_URL: _2, NATS_URL: _3, ...inherited } = process.env
  const ports = { PORT: String(await freePort()), PAPER_PORT: String(await freePort()) }
  env = { ...inherited, ...ports, TRIPLINE_DATA: scratch.folder }
}

async function endAll(): Promise<void> {
  await Promise.all(started.splice(0).map((launcher) => endWith(launcher, 'SIGTERM')))
  await scratch.remove()
}

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
  await waitUntil(isSettled, { deadlineMs: 90_000, awaited: 'the product to run' })
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

function recordOf(name: string): Promise<string> {
  return readFile(path.join(env['TRIPLINE_DATA'] ?? '', 'pids', `${name}.json`), 'utf8')
}

/** Ends what is recorded under the name as a crash would; returns its record. */
async function killRecorded(name: string): Promise<string> {
  const record = await recordOf(name)
  process.kill(JSON.parse(record).pid, 'SIGKILL')
  return record
}

async function isHealthy(): Promise<boolean> {
  return (await fetch(`http://localhost:${env['PORT']}/api/health`)).status === 200
}

/** Sends an alert; returns the status of the answer, and the id of one that was accepted. */
async function sendAlert(printed: string): Promise<{ status: number | undefined; ids: string[] }> {
  const url = `${printedValue('Webhook URL', printed)}?wait=2000`
  const answer = await fetch(url, { method: 'POST', body: 'MyBot(BTCUSDT) { market(buy, 0.01) }' }).catch(
    () => undefined,
  )
  if (!answer?.ok) return { status: answer?.status, ids: [] }
  const { alert_id: id } = z.object({ alert_id: z.string() }).parse(await answer.json())
  return { status: answer.status, ids: [id] }
}

async function waitUntilAccepted(printed: string): Promise<string[]> {
  return await waitUntil(
    async () => {
      const { ids } = await sendAlert(printed)
      return ids.length > 0 && ids
    },
    // Ten alerts a minute are taken.
    { deadlineMs: 90_000, intervalMs: 3000, awaited: 'an alert to be accepted' },
  )
}

/** The ids of the alerts whose orders the exchange has. */
async function orderedAlerts(): Promise<Set<string>> {
  const journal = await fetch(`http://localhost:${env['PAPER_PORT']}/control/journal`)
  const Row = z.object({ clientOrderId: z.string().optional() })
  return new Set(
    z
      .array(Row)
      .parse(await journal.json())
      .flatMap(({ clientOrderId: name }) => name?.slice(1, 27) ?? []),
  )
}

function isSubset(part: readonly string[], whole: ReadonlySet<string>): boolean {
  return part.every((one) => whole.has(one))
}

// A start takes long, so each test goes on from where the one before it left the folder.
describe('one start after the other on one folder', () => {
  let run: Run
  let words: string
  const webhook = (): string => printedValue('Webhook URL', words)

  beforeAll(async () => {
    await openFolder()
    run = await startWhole()
    words = run.printed()
  }, 120_000)
  afterAll(endAll)

  test('the printed command sends the first alert', async () => {
    const alert = 'MyBot(BTCUSDT) { market(buy, 0.01) }'
    expect(words).toContain(`curl -X POST ${webhook()} -d '${alert}'`)
    const answer = await fetch(`${webhook()}?wait=20000`, { method: 'POST', body: alert })
    expect(await answer.json()).toMatchObject({ status: 'success', results: [{ symbol: 'BTCUSDT' }] })
  })

  test('the bus has on the disk what it acknowledges', async () => {
    const { words: command }: { words: string[] } = JSON.parse(await recordOf('nats'))
    const varz = `http://127.0.0.1:${command[command.indexOf('-m') + 1]}/varz`
    expect(await (await fetch(varz)).json()).toMatchObject({ jetstream: { config: { sync_always: true } } })
  })

  test('another start meanwhile is refused, and the first goes on', async () => {
    const other = start()
    const [code] = await once(other.launcher, 'close')
    expect([code, other.printed()]).toEqual([1, expect.stringContaining(`already runs on ${scratch.folder}`)])
    await waitUntil(isHealthy, { deadlineMs: 30_000, awaited: 'the first to serve' })
  })

  test('a process that is killed is started again, and alerts accepted meanwhile are executed', async () => {
    const { printed } = run
    const executor = await killRecorded('executor')
    await waitUntil(() => printed().includes('executor ended (SIGKILL) and is started again'), {
      deadlineMs: 30_000,
      awaited: 'the end of the executor to be printed',
    })
    await waitUntil(async () => (await recordOf('executor')) !== executor, {
      deadlineMs: 30_000,
      awaited: 'a new executor',
    })
    const accepted: string[] = []
    for (const [file, name] of [
      ['nats', 'NATS'],
      ['postgres', 'PostgreSQL'],
      ['redis', 'Redis'],
    ] as const) {
      const sending = sendAlert(printed())
      await killRecorded(file)
      accepted.push(...(await sending).ids)
      await waitUntil(() => printed().includes(`${name} runs again`), { deadlineMs: 30_000, awaited: name })
      expect(printed()).toContain(`${name} ended (SIGKILL) and is started again`)
    }
    accepted.push(...(await waitUntilAccepted(printed())))
    await waitUntil(async () => isSubset(accepted, await orderedAlerts()), {
      deadlineMs: 60_000,
      awaited: 'an order of each accepted alert',
    })
    await waitUntil(isHealthy, { deadlineMs: 30_000, awaited: 'all to serve' })
  }, 180_000)

  test('a stop leaves nothing, and the next start finds everything again', async () => {
    expect(await endWith(run.launcher, 'SIGTERM')).toBe(0)
    expect(await livingPids()).toEqual([])
    run = await startWhole()
    expect(printedValue('Demo login', run.printed())).toBe(printedValue('Demo login', words))
    expect(printedValue('Webhook URL', run.printed())).toBe(webhook())
  }, 120_000)

  test('a start right after the launcher was killed waits for its processes, and serves', async () => {
    await endWith(run.launcher, 'SIGKILL')
    run = await startWhole()
    expect(printedValue('Webhook URL', run.printed())).toBe(webhook())
    expect(await waitUntilAccepted(run.printed())).toHaveLength(1)
  }, 180_000)

  test('a launcher that is killed takes everything along', async () => {
    expect((await livingPids()).length).toBe(12)
    await endWith(run.launcher, 'SIGKILL')
    await waitUntil(async () => (await livingPids()).length === 0, {
      deadlineMs: 20_000,
      awaited: 'everything to end',
    })
  })
})

// A small disk is mounted for it, which only root may do, and only on Linux.
const whereDisksAreMade = process.platform === 'linux' && process.getuid?.() === 0 ? test : test.skip

describe('a folder of its own', () => {
  beforeEach(openFolder)
  afterEach(endAll)

  whereDisksAreMade(
    'a full disk is reported, ends nothing, and loses no accepted alert',
    async () => {
      const disk = path.join(scratch.folder, 'disk')
      await mkdir(disk)
      await runCommand('mount', ['-t', 'tmpfs', '-o', 'size=300m,mode=755', 'tmpfs', disk])
      env['TRIPLINE_DATA'] = disk
      try {
        const { launcher, printed } = await startWhole()
        const accepted = await waitUntilAccepted(printed())
        const fill = path.join(disk, 'fill')
        await runCommand('dd', ['if=/dev/zero', `of=${fill}`, 'bs=64k']).catch(() => undefined)
        await waitUntil(() => printed().includes(`The disk of ${disk} is full`), {
          deadlineMs: 30_000,
          awaited: 'a word on the disk',
        })
        await waitUntil(
          async () => {
            const { status, ids } = await sendAlert(printed())
            accepted.push(...ids)
            return status === 503
          },
          { deadlineMs: 120_000, intervalMs: 1000, awaited: 'a refusal' },
        )
        await rm(fill)
        await waitUntil(() => printed().includes(`The disk of ${disk} has room again`), {
          deadlineMs: 30_000,
          awaited: 'a word on the disk',
        })
        accepted.push(...(await waitUntilAccepted(printed())))
        await waitUntil(async () => isSubset(accepted, await orderedAlerts()), {
          deadlineMs: 60_000,
          awaited: 'an order of each accepted alert',
        })
        expect(await endWith(launcher, 'SIGTERM')).toBe(0)
        const second = await startWhole()
        expect(await waitUntilAccepted(second.printed())).toHaveLength(1)
        await endWith(second.launcher, 'SIGTERM')
      } finally {
        await Promise.all(started.splice(0).map((launcher) => endWith(launcher, 'SIGTERM')))
        await runCommand('umount', ['-l', disk])
      }
    },
    300_000,
  )

  test('one port for two servers is refused at once, in a line', async () => {
    env['PAPER_PORT'] = env['PORT']
    const { launcher, printed } = start()
    const [code] = await once(launcher, 'close')
    expect([code, printed().trim()]).toEqual([
      1,
      `PORT and PAPER_PORT are both ${env['PORT']}. Set one of them to another port.`,
    ])
  })

  test('the status of a product that does not run is a sentence', async () => {
    const ops = spawn('node', ['scripts/bootstrap.mjs', 'ops', 'status'], { cwd: rootDir, env })
    let printed = ''
    ops.stderr.on('data', (chunk) => {
      printed += chunk
    })
    const [code] = await once(ops, 'close')
    expect([code, printed.trim()]).toEqual([
      1,
      expect.stringMatching(/^Nothing runs on .+\. Start it with npm start,.+$/),
    ])
  })
})
