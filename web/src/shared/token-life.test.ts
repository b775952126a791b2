import { expect, test } from '@jest/globals'
import { isOver } from './token-life.ts'

const tokenOf = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`
const token = tokenOf({ sub: 'ÿþ?', exp: 1000 })

test('an access token is over a little before its time', () => {
  expect(isOver(token, 0)).toBe(false)
  expect(isOver(token, 980_000)).toBe(false)
  expect(isOver(token, 995_000)).toBe(true)
  expect(isOver(token, 2_000_000)).toBe(true)
})

test.each(['', 'run out', 'a.b.c', tokenOf({}), tokenOf({ exp: 'soon' })])(
  '"%s" is not one to go on with',
  (text) => {
    expect(isOver(text, 0)).toBe(true)
  },
)
