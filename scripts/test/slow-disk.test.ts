import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { type Bus, subscribe } from '@tripline/kit/bus/bus'
import { inboxPrefix } from '@tripline/proto/permission'
import { type Closers, closers as newClosers } from '@tripline/testkit/closers'
import { temporaryFolder } from '@tripline/testkit/infra/temporary-folder'
import { nats } from '@tripline/testkit/nats'
import { waitUntil } from '@tripline/testkit/wait-until'
import { saveStream } from '../ops/stream-snapshot.ts'

const pieces = 16
const pieceBytes = 128 * 1024

let closers: Closers
let ops: Bus
let observer: Bus
let folder: string

beforeEach(async () => {
  closers = newClosers()
  const scratch = await temporaryFolder()
  await closers.add(scratch.remove)
  folder = scratch.folder
  const server = await nats()
  await closers.add(server.stop)
  ops = await server.connect('ops')
  observer = await server.connect('ops')
})
afterEach(async () => await closers.close())

/** Stores what no compression makes smaller. */
async function fillAlerts(): Promise<void> {
  for (let index = 0; index < pieces; index++)
    await ops.jetstream.publish('alert.1.user', randomBytes(pieceBytes))
}

test('a piece of a back-up that the disk has not taken is not acknowledged', async () => {
  await fillAlerts()
  // A pipe that nobody reads takes less than a piece.
  const disk = path.join(folder, 'disk')
  await promisify(execFile)('mkfifo', [disk])
  const reading = createReadStream(disk)
  let [arrived, acknowledged] = [0, 0]
  const stops = [
    subscribe(observer, `${inboxPrefix('ops')}.*`, () => arrived++),
    subscribe(observer, '$JS.SNAPSHOT.ACK.>', () => acknowledged++),
  ]
  await observer.connection.flush()
  const saving = saveStream(ops, 'ALERTS', disk)
  await waitUntil(() => arrived >= pieces, { deadlineMs: 30_000 })
  // All pieces and acknowledgements up to now have passed.
  await ops.connection.flush()
  await observer.connection.flush()
  expect(acknowledged).toBe(0)
  let taken = 0
  for await (const chunk of reading) taken += (chunk as Buffer).length
  expect((await saving).state.messages).toBe(pieces)
  expect(taken).toBeGreaterThan(pieces * pieceBytes)
  await waitUntil(() => acknowledged >= pieces, { deadlineMs: 30_000 })
  for (const stop of stops) stop()
})

test('a disk that takes nothing ends the back-up with its reason', async () => {
  await fillAlerts()
  await expect(saveStream(ops, 'ALERTS', path.join(folder, 'absent', 'file'))).rejects.toThrow('ENOENT')
})
