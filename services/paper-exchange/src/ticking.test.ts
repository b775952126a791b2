import { expect, test } from '@jest/globals'
import { startTicking } from './ticking.ts'

test('a tick of zero never comes', async () => {
  let rounds = 0
  const stop = startTicking(0, () => {
    rounds += 1
  })
  await new Promise((resolve) => setImmediate(resolve))
  stop()
  expect(rounds).toBe(0)
})

test('ticks come one after another until they are ended', async () => {
  let rounds = 0
  await new Promise<void>((resolve) => {
    const stop = startTicking(2, () => {
      rounds += 1
      if (rounds < 3) return
      stop()
      resolve()
    })
  })
  expect(rounds).toBe(3)
})
