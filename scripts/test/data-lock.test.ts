import { spawnSync } from 'node:child_process'
import { open, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { temporaryFolder } from '@tripline/testkit/infra/temporary-folder'
import { lockDataFolder } from '../data-lock.ts'

let scratch: Awaited<ReturnType<typeof temporaryFolder>>
beforeEach(async () => {
  scratch = await temporaryFolder()
})
afterEach(() => scratch.remove())

test('a folder that a launcher holds is refused to another one, until it is given back', async () => {
  const held = await lockDataFolder(scratch.folder)
  await expect(lockDataFolder(scratch.folder)).rejects.toThrow(
    `already runs on ${scratch.folder} (process ${process.pid}`,
  )
  held.release()
  const again = await lockDataFolder(scratch.folder)
  again.release()
})

test('a folder whose launcher was killed is taken over', async () => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  await writeFile(path.join(scratch.folder, 'launcher.json'), JSON.stringify({ pid, words: ['start.ts'] }))
  const held = await lockDataFolder(scratch.folder)
  held.release()
})

test('a folder whose launcher has left its number to a stranger is taken over', async () => {
  const record = { pid: process.pid, words: ['start.ts'] }
  await writeFile(path.join(scratch.folder, 'launcher.json'), JSON.stringify(record))
  const held = await lockDataFolder(scratch.folder)
  held.release()
})

test('a launcher that reads the record of one that begins to stop finds the whole of it', async () => {
  const held = await lockDataFolder(scratch.folder)
  const reading = await open(path.join(scratch.folder, 'launcher.json'))
  held.noteStopping()
  const record = JSON.parse(await reading.readFile('utf8'))
  await reading.close()
  expect([record.pid, record.isStopping]).toEqual([process.pid, undefined])
  held.release()
})

test('a folder whose launcher is stopping is waited for', async () => {
  const former = await lockDataFolder(scratch.folder)
  former.noteStopping()
  let isFormerGone = false
  const taking = lockDataFolder(scratch.folder, () => {
    isFormerGone = true
    former.release()
  })
  const held = await taking
  expect(isFormerGone).toBe(true)
  held.release()
})
