import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { clientOrderIdOf, executionOfOrder, type OrderOrigin } from './client-order-id.ts'
import { type AlertId, ClientOrderId, executionIdOf } from './id.ts'

const alertId = '01ARZ3NDEKTSV4RRFFQ69G5FAV' as AlertId
const first: OrderOrigin = { alertId, block: 0, command: 0, leg: 0, revision: 0 }

const alertIds = fc.stringMatching(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/).map((text) => text as AlertId)
const digit = fc.integer({ min: 0, max: 31 })
const places: fc.Arbitrary<OrderOrigin> = fc.record({
  alertId: fc.constantFrom(...fc.sample(alertIds, { numRuns: 3, seed: 1 })),
  block: digit,
  command: fc.integer({ min: 0, max: 1023 }),
  leg: digit,
  revision: digit,
})
const tags = fc.stringMatching(/^[A-Za-z0-9_-]{1,16}$/)

describe('a client order id', () => {
  test.each<[string, Partial<OrderOrigin>, string]>([
    ['the first order', {}, '00000'],
    ['the last command of the last block', { block: 19, command: 49 }, 'J1H00'],
    ['a leg', { command: 2, leg: 9 }, '00290'],
    ['a replacement', { command: 2, leg: 1, revision: 31 }, '0021V'],
  ])('of %s', (_name, place, ending) => {
    expect(clientOrderIdOf({ ...first, ...place })).toBe(`t${alertId}${ending}`)
  })

  test.each([
    ['exit1', '22AS'],
    ['a', 'OA9C'],
  ])('with the tag %s ends with its mark, for ever', (tag, mark) => {
    expect(clientOrderIdOf({ ...first, tag })).toBe(`t${alertId}00000${mark}`)
  })

  test('names the execution whose order it is, with a tag or without', () => {
    fc.assert(
      fc.property(places, fc.option(tags, { nil: undefined }), (place, tag) => {
        const executionId = executionIdOf(place.alertId, place.block)
        expect(executionOfOrder(clientOrderIdOf({ ...place, tag }))).toBe(executionId)
      }),
    )
  })

  test.each(['', 'web_12345', `x${alertId}00000`, `t${alertId}0000`, `t${alertId}Z0000`, 't1234'])(
    'that is not ours names none: %s',
    (clientOrderId) => {
      expect(executionOfOrder(clientOrderId)).toBeUndefined()
    },
  )

  test('is 32 characters that every venue takes, with a tag 36', () => {
    fc.assert(
      fc.property(places, tags, (place, tag) => {
        expect(clientOrderIdOf(place)).toMatch(/^t[0-9A-Z]{31}$/)
        const tagged = clientOrderIdOf({ ...place, tag })
        expect(tagged).toMatch(/^t[0-9A-Z]{35}$/)
        expect(ClientOrderId.safeParse(tagged).success).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  test('is the same for one place and another for any other', () => {
    fc.assert(
      fc.property(places, places, (one, other) => {
        const isSame = JSON.stringify(one) === JSON.stringify(other)
        expect(clientOrderIdOf(one) === clientOrderIdOf(other)).toBe(isSame)
      }),
      { numRuns: 1000 },
    )
  })

  test('of all orders that one alert may have is each its own', () => {
    const ids = new Set<string>()
    for (let block = 0; block < 20; block++) {
      for (let command = 0; command < 50; command++) {
        for (let leg = 0; leg < 10; leg++) ids.add(clientOrderIdOf({ ...first, block, command, leg }))
      }
    }
    expect(ids.size).toBe(20 * 50 * 10)
  })

  test.each<Partial<OrderOrigin>>([
    { block: 32 },
    { command: 1024 },
    { leg: 32 },
    { revision: 32 },
    { block: -1 },
    { leg: 0.5 },
  ])('is not made for a place that does not fit: %j', (place) => {
    expect(() => clientOrderIdOf({ ...first, ...place })).toThrow(RangeError)
  })
})
