import { expect, test } from '@jest/globals'
import { limitConcurrency, limitConcurrencyOfEach } from './concurrency-limit.ts'

const refusal = 'Too much at once'

const work = (): { done: () => void; run: () => Promise<void> } => {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { done: resolve, run: async () => await promise }
}

test('so many run at once, the next wait in line, and more are refused', async () => {
  const limited = limitConcurrency({ atOnce: 2, waiting: 1, refusal })
  const works = [work(), work(), work()]
  const begun: number[] = []
  const ended = works.map(async ({ run }, index) =>
    limited(async () => {
      begun.push(index)
      await run()
    }),
  )
  await expect(limited(async () => undefined)).rejects.toMatchObject({
    code: 'rate_limited',
    message: refusal,
    retryAfterS: expect.any(Number),
  })
  expect(begun).toEqual([0, 1])
  works[1]?.done()
  await ended[1]
  expect(begun).toEqual([0, 1, 2])
  for (const { done } of works) done()
  await Promise.all(ended)
})

test('work that fails gives its place away like any other', async () => {
  const limited = limitConcurrency({ atOnce: 1, waiting: 1, refusal })
  const fail = async (): Promise<never> => await Promise.reject(new Error('broken'))
  await expect(limited(fail)).rejects.toThrow('broken')
  expect(await limited(async () => 'well')).toBe('well')
  expect(await Promise.all([limited(async () => 1), limited(async () => 2)])).toEqual([1, 2])
})

test('each key has room of its own, and none is taken once its work is done', async () => {
  const limitOf = limitConcurrencyOfEach({ atOnce: 1, waiting: 0, refusal })
  const first = work()
  const running = limitOf('ada')(first.run)
  await expect(limitOf('ada')(async () => 1)).rejects.toMatchObject({ code: 'rate_limited' })
  expect(await limitOf('bob')(async () => 2)).toBe(2)
  first.done()
  await running
  expect(await limitOf('ada')(async () => 3)).toBe(3)
})
