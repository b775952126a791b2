import { expect, test } from '@jest/globals'
import { createRightOfWay } from './right-of-way.ts'

const forEver = 3_600_000

/** The names of those who were let through, in order. */
function passing() {
  const passed: string[] = []
  return { passed, note: (name: string) => () => void passed.push(name) }
}

test('nobody stands aside where no alert is on its way', async () => {
  await createRightOfWay(forEver).clear()
})

test('all stand aside until the last alert arrived, and go in order', async () => {
  const { passed, note } = passing()
  const way = createRightOfWay(forEver)
  const [first, second] = [way.enter(), way.enter()]
  const all = Promise.all([way.clear().then(note('a')), way.clear().then(note('b'))])
  first()
  first()
  await new Promise((resolve) => setImmediate(resolve))
  expect(passed).toEqual([])
  second()
  await all
  expect(passed).toEqual(['a', 'b'])
})

test('an alert that comes while some are let through has the way again', async () => {
  const { passed, note } = passing()
  const way = createRightOfWay(forEver)
  const arrived = way.enter()
  let nextArrived = (): void => undefined
  const first = way.clear().then(() => {
    nextArrived = way.enter()
  })
  const second = way.clear().then(note('second'))
  arrived()
  await first
  await new Promise((resolve) => setImmediate(resolve))
  expect(passed).toEqual([])
  nextArrived()
  await second
})

test('nobody stands aside for ever', async () => {
  const way = createRightOfWay(20)
  // Until its end is told no alert arrives.
  const again = setInterval(way.enter, 1)
  way.enter()
  await way.clear()
  clearInterval(again)
})

test('all that stood aside for the longest time go at once, however slow the process is', async () => {
  const { passed, note } = passing()
  const way = createRightOfWay(1)
  const arrived = way.enter()
  const all = Promise.all(Array.from({ length: 50 }, () => way.clear().then(note('one'))))
  const until = performance.now() + 5
  while (performance.now() < until);
  arrived()
  await Promise.resolve()
  await new Promise<void>((resolve) => queueMicrotask(resolve))
  expect(passed).toHaveLength(50)
  await all
})
