import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'

import { startChildServer, waitUntilReady } from '../infra/child-server.ts'
import { findProgram } from '../infra/find-program.ts'
import { temporaryFolder } from '../infra/temporary-folder.ts'
import { rootDir } from '../paths.ts'
import { waitUntil } from '../wait-until.ts'

const patience = { deadlineMs: 30_000 }

let scratch: Awaited<ReturnType<typeof temporaryFolder>>
beforeEach(async () => {
  scratch = await temporaryFolder()
})
afterEach(() => scratch.remove())

const sleeper = ['-e', 'setInterval(() => {}, 1000)']

function startSleeper() {
  return startChildServer({
    name: 'sleeper',
    dataDir: scratch.folder,
    command: process.execPath,
    args: sleeper,
  })
}

/** A launcher of its own that starts the sleeper. */
function startLauncher(): ChildProcess {
  const module = path.join(rootDir, 'testkit/infra/child-server.ts')
  const options = { name: 'sleeper', dataDir: scratch.folder, command: process.execPath, args: sleeper }
  const program = `import(${JSON.stringify(module)}).then((it) => it.startChildServer(${JSON.stringify(options)}))`
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '-e', program], {
    stdio: 'ignore',
  })
}

async function sleeperPid(): Promise<number> {
  const file = path.join(scratch.folder, 'pids/sleeper.json')
  return waitUntil(async () => JSON.parse(await readFile(file, 'utf8')).pid, patience)
}

/** Whether it runs; one that ended and that nobody has asked about yet does not. */
async function isRunning(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => undefined)
  return status !== undefined && !/^State:\s+[ZX]/m.test(status)
}

const bindsChildren = findProgram('setpriv').length > 0 && existsSync('/proc')
const whereBound = bindsChildren ? test : test.skip

whereBound('a server dies with a launcher that is killed', async () => {
  const launcher = startLauncher()
  const pid = await sleeperPid()
  // Only what setpriv has begun to run is bound to the launcher's life.
  await waitUntil(
    async () => (await readFile(`/proc/${pid}/cmdline`, 'utf8')).startsWith(process.execPath),
    patience,
  )
  launcher.kill('SIGKILL')
  await once(launcher, 'exit')
  await waitUntil(async () => !(await isRunning(pid)), patience)
})

test('a server that a former launcher left behind is ended before the next starts', async () => {
  const first = await startSleeper()
  const second = await startSleeper()
  expect([first.hasEnded(), second.hasEnded()]).toEqual([true, false])
  await second.stop()
})

test('a server that ends while it starts is reported with the end of its log', async () => {
  const args = ['-e', 'console.error("no such folder"); process.exit(3)']
  const server = await startChildServer({
    name: 'broken',
    dataDir: scratch.folder,
    command: process.execPath,
    args,
  })
  await expect(waitUntilReady(server, async () => false)).rejects.toThrow(
    'broken ended while starting:\nno such folder',
  )
})

test('a program that does not exist is reported', async () => {
  const server = await startChildServer({
    name: 'absent',
    dataDir: scratch.folder,
    command: '/no/such/program',
    args: [],
  })
  await expect(waitUntilReady(server, async () => false)).rejects.toThrow('absent ended while starting')
})
