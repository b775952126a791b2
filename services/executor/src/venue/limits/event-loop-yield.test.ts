import { expect, test } from '@jest/globals'
import { createEventLoopYield, type EventLoopYield } from './event-loop-yield.ts'

/** Returns in their order the turns of three that ask together, and what runs after each. */
async function begunBy(nextTurn: EventLoopYield): Promise<string[]> {
  const happened: string[] = []
  const begun = ['one', 'two', 'three'].map(async (name) => {
    await nextTurn()
    happened.push(name)
    setImmediate(() => happened.push(`after ${name}`))
  })
  await Promise.all(begun)
  await nextTurn()
  return happened
}

test('those who ask together begin one after the other, and other due work runs in between', async () => {
  expect(await begunBy(createEventLoopYield(1))).toEqual([
    'one',
    'after one',
    'two',
    'after two',
    'three',
    'after three',
  ])
})

test('a later caller does not wait for those who are done', async () => {
  const nextTurn = createEventLoopYield(1)
  await nextTurn()
  await nextTurn()
  await expect(nextTurn()).resolves.toBeUndefined()
})

test('a caller that becomes urgent while waiting comes before all others, and the first of these comes first', async () => {
  const nextTurn = createEventLoopYield(1)
  const begun: string[] = []
  const ranks = new Map<string, number>()
  const turns = ['one', 'two', 'three', 'four'].map(async (name) => {
    await nextTurn(() => ranks.get(name) ?? 9)
    begun.push(name)
    ranks.set('four', 1).set('three', 2)
  })
  await Promise.all(turns)
  expect(begun).toEqual(['one', 'four', 'three', 'two'])
})

test('several may begin in one turn', async () => {
  expect(await begunBy(createEventLoopYield(2))).toEqual([
    'one',
    'two',
    'after one',
    'after two',
    'three',
    'after three',
  ])
})
