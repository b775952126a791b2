import { expect, test } from '@jest/globals'
import { askedAgain, createShownAfter, shownAfterMs } from './shown-after.ts'

test('a reading waits until it shows earlier changes, and for nothing else', async () => {
  const { changed, shown } = createShownAfter()
  expect(shown()).toBeUndefined()
  changed()
  const from = performance.now()
  await shown()
  // A timer may fire a moment early.
  expect(performance.now() - from).toBeGreaterThanOrEqual(shownAfterMs - 2)
})

test.each([
  ['at once where the first answer is sure', ['ended', 'open'], 'ended', 1],
  ['by the second one where the first may be of before', ['open', 'ended'], 'ended', 2],
  ['once more and no oftener', ['open', 'open', 'ended'], 'open', 2],
])('the result of an order is answered %s', async (_name, answers, expected, times) => {
  let asked = 0
  const ask = async (): Promise<string> => answers[asked++] ?? ''
  expect([await askedAgain(ask, (answer) => answer === 'ended'), asked]).toEqual([expected, times])
})
