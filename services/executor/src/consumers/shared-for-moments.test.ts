import { expect, test } from '@jest/globals'
import { sharedForMoments } from './shared-for-moments.ts'

test('callers share what is on its way and what just came, each key apart', async () => {
  let [time, asked] = [0, 0]
  const shared = sharedForMoments<number>(2000, () => time)
  const ask = async (key: string) => await shared(key, async () => ++asked)
  expect(await Promise.all([ask('one'), ask('one'), ask('other')])).toEqual([1, 1, 2])
  time = 1999
  expect(await ask('one')).toBe(1)
  time = 2000
  expect(await ask('one')).toBe(3)
})

test('a failure is not kept', async () => {
  const shared = sharedForMoments<string>(2000, () => 0)
  const fail = async (): Promise<string> => await Promise.reject(new Error('away'))
  await expect(shared('one', fail)).rejects.toThrow('away')
  expect(await shared('one', async () => 'back')).toBe('back')
})
