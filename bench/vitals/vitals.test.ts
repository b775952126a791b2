import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { closers } from '@tripline/testkit/closers'
import { writeRecord } from '@tripline/testkit/infra/process-record'
import { temporaryFolder } from '@tripline/testkit/infra/temporary-folder'
import { waitUntil } from '@tripline/testkit/wait-until'
import { endsOf, openFiles } from './open-files.ts'
import { type Doctor, newDoctor } from './vitals.ts'

const server = `
  const kept = []
  const server = require('node:http').createServer((request, response) => {
    if (request.url === '/allocate') for (let size = 0; size < 1e6; size++) kept[size % 1000] = { size }
    if (request.url !== '/unanswered') response.end('answered')
  })
  server.listen(0, '127.0.0.1', () => console.log(server.address().port))
`
const ending = closers()
let doctor: Doctor
let dataDir: string

beforeAll(async () => {
  doctor = await newDoctor(ending)
  const { folder, remove } = await temporaryFolder()
  await ending.add(remove)
  await mkdir(path.join(folder, 'pids'))
  dataDir = folder
})

afterAll(async () => await ending.close())

/** A process that is examined as this service; the answer is the port on which it listens. */
async function start(service: string): Promise<number> {
  const child: ChildProcess = spawn(process.execPath, ['-e', server], { env: doctor.env })
  const ended = once(child, 'exit')
  await ending.add(async () => {
    child.kill('SIGKILL')
    await ended
  })
  writeRecord(path.join(dataDir, 'pids', `${service}.json`), { pid: child.pid ?? 0, words: [] })
  if (child.stdout === null) throw new Error('the process prints no port')
  const [line] = await once(createInterface(child.stdout), 'line')
  return Number(line)
}

async function ask(agent: Agent, port: number, path = '/'): Promise<void> {
  const asking = request({ agent, port, host: '127.0.0.1', path })
  asking.end()
  const [response] = await once(asking, 'response')
  await text(response)
}

test('a connection counts while its request waits for an answer, and not while it waits for a request', async () => {
  const port = await start('asked')
  const before = await doctor.examine(dataDir, 'asked')
  const agent = new Agent({ keepAlive: true })
  await Promise.all([ask(agent, port), ask(agent, port), ask(agent, port)])
  const unanswered = request({ agent: false, port, host: '127.0.0.1', path: '/unanswered' })
  unanswered.on('error', () => undefined)
  unanswered.end()
  const isOneMore = async (): Promise<boolean> => {
    const { handles, files } = await doctor.examine(dataDir, 'asked')
    return handles === before.handles + 1 && Object.is(files, before.files + 1)
  }
  await waitUntil(isOneMore, { deadlineMs: 60_000 })
  unanswered.destroy()
  agent.destroy()
})

test('a connection that is left aside is no open file at either end', async () => {
  const listening = createServer()
  await new Promise<void>((resolve) => void listening.listen(0, '127.0.0.1', resolve))
  const { port } = listening.address() as AddressInfo
  const client = connect(port, '127.0.0.1')
  const [accepted] = await once(listening, 'connection')
  const aside = endsOf([[client.localPort ?? 0, port]])
  expect(openFiles(process.pid, aside)).toBe(openFiles(process.pid, new Set()) - 2)
  client.destroy()
  accepted.destroy()
  listening.close()
})

test('pauses are those of the process since they were asked for, without the collection that the answer needs', async () => {
  const port = await start('collected')
  const isWithoutPause = async (): Promise<boolean> =>
    (await doctor.examine(dataDir, 'collected')).pauses.length === 0
  // A process that has just begun collects by itself, too.
  await waitUntil(isWithoutPause, { deadlineMs: 60_000 })
  await ask(new Agent(), port, '/allocate')
  const { pauses } = await doctor.examine(dataDir, 'collected')
  expect(pauses.length).toBeGreaterThan(0)
  expect(Math.min(...pauses)).toBeGreaterThan(0)
  await waitUntil(isWithoutPause, { deadlineMs: 60_000 })
})
