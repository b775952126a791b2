import { afterEach, expect, test } from '@jest/globals'
import { waitFor } from '@tripline/testkit/wait-for'
import type { KeyVerdict } from '../../domain/account/key-test.ts'
import { createKeyTurns, type KeyWatch, watchKey } from './key-watch.ts'

const taken: KeyVerdict = { outcome: 'taken' }
const unknown: KeyVerdict = { outcome: 'unknown' }
const refused: KeyVerdict = { outcome: 'refused', problem: 'It has expired' }
const timing = { readyMs: 600_000, turnMs: 1, retryMs: 1, longestRetryMs: 2, calmMs: 1 }

const watches: KeyWatch[] = []
afterEach(() => {
  for (const watch of watches.splice(0)) watch.stop()
})

/** A watch over a key of an exchange that says this one after the other, and the last of it from then on. */
function watched({ asks, verdicts }: { asks: ('taken' | 'refused' | 'silent')[]; verdicts: KeyVerdict[] }) {
  const update: (string | undefined)[] = []
  const counts = { asked: 0, judged: 0 }
  const watch = watchKey({
    ask: async () => {
      counts.asked++
      const answer = asks.length > 1 ? asks.shift() : asks[0]
      if (answer === 'refused') watch.suspect()
      if (answer !== 'taken') throw new Error(answer)
    },
    judge: async () => {
      counts.judged++
      return (verdicts.length > 1 ? verdicts.shift() : verdicts[0]) ?? unknown
    },
    onProblem: (problem) => update.push(problem),
    turns: createKeyTurns(timing),
    timing,
  })
  watches.push(watch)
  return { watch, update, counts }
}

test('a key that is taken is asked for once, and judged never', async () => {
  const { watch, update, counts } = watched({ asks: ['taken'], verdicts: [] })
  await watch.first
  expect([update, counts]).toEqual([[], { asked: 1, judged: 0 }])
})

test('a key that is refused is reported before anybody is reported that it works, and again once it is taken', async () => {
  const { watch, update, counts } = watched({
    asks: ['refused'],
    verdicts: [refused, refused, unknown, taken],
  })
  await watch.first
  expect(update).toEqual(['It has expired'])
  await waitFor(() => update.length === 2)
  expect([update, counts]).toEqual([['It has expired', undefined], { asked: 1, judged: 4 }])
})

test('a key that is good although something was refused is not reported; the next refusal counts again', async () => {
  const { watch, update, counts } = watched({ asks: ['taken'], verdicts: [taken, refused] })
  await watch.first
  watch.suspect()
  await waitFor(() => counts.judged === 1)
  expect(update).toEqual([])
  watch.suspect()
  await waitFor(() => update.length === 1)
  expect(update).toEqual(['It has expired'])
})

test('an exchange that gives no answer says nothing of the key, and is asked three times', async () => {
  const { watch, update, counts } = watched({ asks: ['silent'], verdicts: [] })
  await watch.first
  expect([update, counts]).toEqual([[], { asked: 3, judged: 0 }])
})

test('a watch that is stopped asks no more, and nobody waits for it', async () => {
  const { watch, update, counts } = watched({ asks: ['refused'], verdicts: [unknown] })
  await waitFor(() => counts.judged > 1)
  watch.stop()
  await watch.first
  const { judged } = counts
  watch.suspect()
  await new Promise((resolve) => setImmediate(resolve))
  expect([counts.judged, update]).toEqual([judged, []])
})

test('many keys are looked at one after the other, and judged besides', async () => {
  const { ask, judge } = createKeyTurns({ turnMs: 600_000 })
  await ask()
  let isNext = false
  void ask().then(() => {
    isNext = true
  })
  await judge()
  await new Promise((resolve) => setImmediate(resolve))
  expect(isNext).toBe(false)
})
