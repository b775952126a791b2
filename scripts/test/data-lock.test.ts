import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { lockDataFolder } from '../data-lock.ts'
import { temporaryFolder } from '../infra/temporary-folder.ts'

let scratch: Awaited<ReturnType<typeof temporaryFolder>>
beforeEach(async () => {
  scratch = await temporaryFolder()
})
afterEach(() => scratch.remove())

test('a folder that a launcher holds is refused to another one, until it is given back', async () => {
  const release = await lockDataFolder(scratch.folder)
  await expect(lockDataFolder(scratch.folder)).rejects.toThrow(
    `already runs on ${scratch.folder} (process ${process.pid}`,
  )
  release()
  const again = await lockDataFolder(scratch.folder)
  again()
})

test('a folder whose launcher was killed is taken over', async () => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  await writeFile(path.join(scratch.folder, 'launcher.json'), JSON.stringify({ pid, words: ['start.ts'] }))
  const release = await lockDataFolder(scratch.folder)
  release()
})

test('a folder whose launcher has left its number to a stranger is taken over', async () => {
  const record = { pid: process.pid, words: ['start.ts'] }
  await writeFile(path.join(scratch.folder, 'launcher.json'), JSON.stringify(record))
  const release = await lockDataFolder(scratch.folder)
  release()
})
