import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from '@jest/globals'
import { temporaryFolder } from '../infra/temporary-folder.ts'
import { commonWarnings } from './service-warnings.ts'

test('warnings that differ in numbers and ids alone are counted as one, the most frequent first', async () => {
  const { folder, remove } = await temporaryFolder()
  const file = path.join(folder, 'warnings.log')
  await writeFile(file, 'auth slow, 12 ms\nkeys lost 01f3-9c\nauth slow, 7 ms\n')
  expect(await commonWarnings(file)).toEqual(['2 x auth slow, # ms', '1 x keys lost #'])
  await remove()
})

test('where no service ran there are no warnings', async () => {
  expect(await commonWarnings('/nowhere')).toEqual([])
})
