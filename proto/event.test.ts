import { describe, expect, test } from '@jest/globals'
import { eventsIn, StoredEvents } from './event.ts'
import { started } from './test/started-event.ts'

describe('the events in a stored message', () => {
  test('are one, or several in their order', () => {
    const [first, second] = [started(0), started(1)]
    expect(eventsIn(JSON.stringify(first))).toEqual([{ event: first }])
    expect(eventsIn(JSON.stringify([first, second]))).toEqual([{ event: first }, { event: second }])
  })

  test('are read beside one that is not understood', () => {
    const parts = eventsIn(JSON.stringify([started(0), { ...started(1), at: 'noon' }, started(2)]))
    expect(parts).toEqual([
      { event: started(0) },
      { fault: expect.stringMatching(/^at: /) },
      { event: started(2) },
    ])
  })

  test.each(['no JSON', '{"kind":"dream"}', 'null', '7', ''])('are a fault where they are %j', (text) => {
    expect(eventsIn(text)).toEqual([{ fault: expect.any(String) }])
  })

  test('match their contract, of which none is empty', () => {
    const isOne = (value: unknown): boolean => StoredEvents.safeParse(value).success
    expect([started(0), [started(0)], [started(0), started(1)]].map(isOne)).toEqual([true, true, true])
    expect([[], [started(0), {}], [[started(0)]]].map(isOne)).toEqual([false, false, false])
  })
})
