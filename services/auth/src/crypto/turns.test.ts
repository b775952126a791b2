import { expect, test } from '@jest/globals'
import { createTurns } from './turns.ts'

const work = (): { done: () => void; run: () => Promise<void> } => {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { done: resolve, run: async () => await promise }
}

test('so many run at once, the next wait in line, and more are refused', async () => {
  const inTurn = createTurns({ atOnce: 2, waiting: 1 })
  const works = [work(), work(), work()]
  const begun: number[] = []
  const ended = works.map(async ({ run }, index) =>
    inTurn(async () => {
      begun.push(index)
      await run()
    }),
  )
  await expect(inTurn(async () => undefined)).rejects.toMatchObject({ code: 'rate_limited' })
  expect(begun).toEqual([0, 1])
  works[1]?.done()
  await ended[1]
  expect(begun).toEqual([0, 1, 2])
  for (const { done } of works) done()
  await Promise.all(ended)
})

test('work that fails gives its place away like any other', async () => {
  const inTurn = createTurns({ atOnce: 1, waiting: 1 })
  const fail = async (): Promise<never> => await Promise.reject(new Error('broken'))
  await expect(inTurn(fail)).rejects.toThrow('broken')
  expect(await inTurn(async () => 'well')).toBe('well')
  expect(await Promise.all([inTurn(async () => 1), inTurn(async () => 2)])).toEqual([1, 2])
})
