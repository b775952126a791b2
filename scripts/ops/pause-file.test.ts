import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { UserId } from '@tripline/proto/id'
import { temporaryFolder } from '@tripline/testkit/infra/temporary-folder'
import { notePausing, noteResumed, readPaused } from './pause-file.ts'
import type { Paused } from './trading.ts'

const userId = UserId.parse('6f9619ff-8b86-4d01-b42d-00cf4fc964ff')
const reduced: Paused = { userId, before: 'active', since: 'reducing' }
const halted: Paused = { userId, before: 'reducing', since: 'halted' }

let scratch: Awaited<ReturnType<typeof temporaryFolder>>
let file: string
beforeEach(async () => {
  scratch = await temporaryFolder()
  file = path.join(scratch.folder, 'paused.jsonl')
})
afterEach(async () => await scratch.remove())

test('a pause behind another is taken back with it', () => {
  notePausing(file, reduced)
  notePausing(file, halted)
  expect(readPaused(file)).toEqual([reduced, halted])
})

test('a pause behind a resume stands alone', () => {
  notePausing(file, reduced)
  noteResumed(file, 0)
  notePausing(file, halted)
  expect(readPaused(file)).toEqual([halted])
})

test('a pause that was resumed is not resumed again', () => {
  notePausing(file, reduced)
  noteResumed(file, 0)
  expect(() => readPaused(file)).toThrow('was resumed at 1970-01-01T00:00:00.000Z')
})

test('a file that is not there, or names nobody, is refused', () => {
  expect(() => readPaused(file)).toThrow('There is no')
  writeFileSync(file, '')
  expect(() => readPaused(file)).toThrow('Nobody is noted')
})
