import { expect, test } from '@jest/globals'
import { createTurns } from './turns.ts'

test('those who ask together begin one after the other, and what else is due runs in between', async () => {
  const nextTurn = createTurns()
  const happened: string[] = []
  const begun = ['one', 'two', 'three'].map(async (name) => {
    await nextTurn()
    happened.push(name)
    setImmediate(() => happened.push(`after ${name}`))
  })
  await Promise.all(begun)
  await nextTurn()
  expect(happened).toEqual(['one', 'after one', 'two', 'after two', 'three', 'after three'])
})

test('who asks later does not wait for those who are done', async () => {
  const nextTurn = createTurns()
  await nextTurn()
  await nextTurn()
  await expect(nextTurn()).resolves.toBeUndefined()
})

test('who gets into haste while waiting comes before all others', async () => {
  const nextTurn = createTurns()
  const begun: string[] = []
  let isUrgent = false
  const turns = ['one', 'two', 'three'].map(async (name) => {
    await nextTurn(() => isUrgent && name === 'three')
    begun.push(name)
    isUrgent = true
  })
  await Promise.all(turns)
  expect(begun).toEqual(['one', 'three', 'two'])
})
