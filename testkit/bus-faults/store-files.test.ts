import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { temporaryFolder } from '../infra/temporary-folder.ts'
import { randomOf } from '../random.ts'
import { recordsOf } from './block-file.ts'
import { cutBack, flipBits, foldersOf } from './store-files.ts'

let scratch: Awaited<ReturnType<typeof temporaryFolder>>
let folder: string
let file: string

beforeEach(async () => {
  scratch = await temporaryFolder()
  folder = path.join(scratch.folder, 'jetstream/$G/streams/ALERTS')
  file = path.join(folder, 'msgs/2.blk')
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(path.join(folder, 'msgs/1.blk'), record(1n, 'first'))
  await writeFile(
    file,
    Buffer.concat([record(2n, 'second'), record((1n << 62n) | 1n, ''), record(3n, 'third')]),
  )
})
afterEach(async () => await scratch.remove())

/** A record as a server writes it: length, sequence, time, length of the subject, the rest, checksum. */
function record(sequence: bigint, text: string): Buffer {
  const bytes = Buffer.alloc(30 + text.length)
  bytes.writeUInt32LE(bytes.length, 0)
  bytes.writeBigUInt64LE(sequence, 4)
  bytes.write(text, 22)
  return bytes
}

test('the records of a block are found, and which of them marks a deletion', () => {
  const block = Buffer.concat([
    record(2n, 'second'),
    record((1n << 62n) | 1n, ''),
    record(3n, 'third').subarray(0, 9),
  ])
  expect(recordsOf(block)).toEqual([
    { offset: 0, length: 36, isDeletion: false },
    { offset: 36, length: 30, isDeletion: true },
  ])
})

test('a stream loses the newest records of its newest block, the last one torn if that is asked for', async () => {
  expect(await foldersOf(scratch.folder, ['ALERTS'])).toEqual([folder])
  expect(await cutBack(folder, { records: 2 }, false)).toEqual({ messages: 1, deletions: 1 })
  expect(await readFile(file)).toEqual(record(2n, 'second'))
  expect(await cutBack(folder, { records: 1 }, true)).toEqual({ messages: 1, deletions: 0 })
  expect(await readFile(file)).toEqual(record(2n, 'second').subarray(0, 18))
})

test('a stream loses all behind the newest record with a text, so that what had ended is there again', async () => {
  expect(await cutBack(folder, { behind: 'nowhere' }, false)).toEqual({ messages: 0, deletions: 0 })
  expect(await cutBack(folder, { behind: 'second' }, false)).toEqual({ messages: 1, deletions: 1 })
  expect(await readFile(file)).toEqual(record(2n, 'second'))
})

test('one bit turns', async () => {
  const [before, first] = [await readFile(file), record(1n, 'first')]
  expect(await flipBits(folder, 'index', 1, randomOf(1))).toEqual([])
  expect(await flipBits(folder, 'messages', 1, randomOf(1))).toHaveLength(1)
  const now = Buffer.concat([await readFile(path.join(folder, 'msgs/1.blk')), await readFile(file)])
  const wasBytes = Buffer.concat([first, before])
  const turned = [...now].map((byte, index) => byte ^ (wasBytes[index] ?? 0)).filter((bits) => bits !== 0)
  expect(turned).toHaveLength(1)
  expect(Math.log2(turned[0] ?? 0) % 1).toBe(0)
})
