import { expect, test } from '@jest/globals'
import { closers } from './closers.ts'

test('the resource that began last ends first, once, whatever fails', async () => {
  const ended: string[] = []
  const all = closers()
  await all.add(async () => ended.push('server'))
  await all.add(() => Promise.reject(new Error('stuck')))
  await all.add(async () => ended.push('service'))
  await Promise.all([all.close(), all.close()])
  expect(ended).toEqual(['service', 'server'])
})

test('a resource that begins after the end is ended at once', async () => {
  const ended: string[] = []
  const all = closers()
  await all.close()
  await all.add(async () => ended.push('late'))
  expect(ended).toEqual(['late'])
})
