import { expect, test } from '@jest/globals'
import { once } from './lifecycle.ts'

test('an act that is to run once runs once, and all wait for it', async () => {
  let times = 0
  const act = once(async () => {
    times++
    await Promise.resolve()
  })
  await Promise.all([act(), act()])
  await act()
  expect(times).toBe(1)
})

test('an act that failed once stays failed', async () => {
  const act = once(async () => await Promise.reject(new Error('fault')))
  await expect(act()).rejects.toThrow('fault')
  await expect(act()).rejects.toThrow('fault')
})
