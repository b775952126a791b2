import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { partOf } from './alert-room.ts'

const mebibyte = 1024 ** 2
const room = 3072 * mebibyte
const users = 1000

test('an empty room is no bound, and a fuller one is a stricter one', () => {
  expect(partOf({ bytes: 0, room }, users)).toBeGreaterThan(8_000_000)
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (a, b) => {
        const [less, more] = [Math.min(a, b), Math.max(a, b)].map((part) =>
          partOf({ bytes: part * room, room }, users),
        )
        expect(less).toBeGreaterThanOrEqual(more ?? 0)
      },
    ),
  )
})

test('accounts that each store all they may leave the reserve to others, however many they are', () => {
  const quota = 8_000_000
  const storedBy = (accounts: number): number => {
    let bytes = 0
    for (let account = 0; account < accounts; account++)
      bytes += Math.min(quota, partOf({ bytes, room }, users))
    return bytes
  }
  expect(storedBy(400)).toBeLessThan(0.65 * room)
  expect(storedBy(20_000)).toBeLessThanOrEqual(0.9 * room)
})
