import { expect, test } from '@jest/globals'
import { sharedAnswers } from './shared-answers.ts'

test('callers share an answer that is on its way or just came, each key apart', async () => {
  let [time, asked] = [0, 0]
  const shared = sharedAnswers<number>(2000, () => time)
  const ask = async (key: string) => await shared.ask(key, async () => ++asked)
  expect(await Promise.all([ask('one'), ask('one'), ask('other')])).toEqual([1, 1, 2])
  time = 1999
  expect(await ask('one')).toBe(1)
  time = 2000
  expect(await ask('one')).toBe(3)
})

test('a failure is not shared with later callers', async () => {
  const shared = sharedAnswers<string>(2000, () => 0)
  const fail = async (): Promise<string> => await Promise.reject(new Error('away'))
  await expect(shared.ask('one', fail)).rejects.toThrow('away')
  expect(await shared.ask('one', async () => 'back')).toBe('back')
})

test('an answer that is forgotten is asked for anew, and stays where the one before fails late', async () => {
  const shared = sharedAnswers<string>(2000, () => 0)
  const late = Promise.withResolvers<string>()
  const before = shared.ask('one', () => late.promise)
  shared.forget('one')
  expect(await shared.ask('one', async () => 'new')).toBe('new')
  late.reject(new Error('away'))
  await expect(before).rejects.toThrow('away')
  expect(await shared.ask('one', async () => 'newer')).toBe('new')
})
