import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { isBeyondShare } from './fair-share.ts'

const most = 1000

/** Returns the amounts of users who take one after the other for as long as they may. */
function taken(users: number): number[] {
  const own = Array.from({ length: users }, () => 0)
  const used = (): number => own.reduce((sum, each) => sum + each, 0)
  for (let isMore = true; isMore; ) {
    isMore = false
    for (const [user, has] of own.entries()) {
      if (isBeyondShare({ most, used: used(), own: has })) continue
      own[user] = has + 1
      isMore = true
    }
  }
  return own
}

test('however many use all they may, they have the same, and something is left for the next one', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), (users) => {
      const own = taken(users)
      const used = own.reduce((sum, each) => sum + each, 0)
      expect(Math.max(...own) - Math.min(...own)).toBeLessThanOrEqual(2)
      expect(isBeyondShare({ most, used, own: 0 })).toBe(false)
    }),
  )
})

test('one who uses it alone has two thirds, and all of it where nobody else may come', () => {
  expect(taken(1)).toEqual([667])
  expect(isBeyondShare({ most, used: 999, own: undefined })).toBe(false)
  expect(isBeyondShare({ most, used: 1000, own: undefined })).toBe(true)
})
