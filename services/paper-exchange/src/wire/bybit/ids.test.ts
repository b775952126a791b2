import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { digitsOf, idOfDigits, idOfUuid, uuidOf } from './ids.ts'

const id = fc.integer({ min: 1, max: 2 ** 47 })

test('an id comes back from its uuid and from its digits, and from those of the other kind it does not', () => {
  fc.assert(
    fc.property(id, (value) => {
      expect(idOfUuid('order', uuidOf('order', value))).toBe(value)
      expect(idOfUuid('fill', uuidOf('order', value))).toBeUndefined()
      expect(idOfDigits('order', digitsOf('order', value))).toBe(value)
    }),
  )
})

test('a uuid is one of version four, spot digits are nineteen', () => {
  expect(uuidOf('order', 4_000_000_001)).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  )
  expect(digitsOf('order', 4_000_000_001)).toMatch(/^[0-9]{19}$/)
})

test('a text that was never given out has no id', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.uuid()), (text) => {
      expect(idOfUuid('order', text)).toBeUndefined()
    }),
  )
  expect(idOfDigits('order', '1')).toBeUndefined()
  expect(idOfDigits('order', '1700000000000000001')).toBeUndefined()
})
