import { expect, test } from '@jest/globals'
import { generateKek, readKeks } from '@tripline/kit/crypto/envelope'
import { findBrowser, newBrowserToken } from './browser-token.ts'

const kek = generateKek('a')
const keks = readKeks(kek)
const now = Date.parse('2026-11-23T12:00:00Z')
const token = newBrowserToken(keks, 'ada', now)

test('a browser is known by any of the tokens that it shows', () => {
  expect(findBrowser(keks, 'ada', ['nonsense', token], now)).toEqual({ id: token.split('.')[0], token })
})

test('a token is of one account, one installation and one spelling', () => {
  const [id, madeAt, proof] = token.split('.')
  expect(findBrowser(keks, 'bob', [token], now)).toBeUndefined()
  expect(findBrowser(readKeks(generateKek('b')), 'ada', [token], now)).toBeUndefined()
  for (const forged of [
    `${id}.${madeAt}`,
    `${id}.${madeAt}0.${proof}`,
    `${'A'.repeat(22)}.${madeAt}.${proof}`,
  ])
    expect(findBrowser(keks, 'ada', [forged], now)).toBeUndefined()
})

test('a token outlives the key that it was made under, and is forgotten after half a year', () => {
  const rotated = readKeks(`${generateKek('b')},${kek}`)
  expect(findBrowser(rotated, 'ada', [token], now)).toBeDefined()
  expect(findBrowser(keks, 'ada', [token], now + 179 * 86_400_000)).toBeDefined()
  expect(findBrowser(keks, 'ada', [token], now + 181 * 86_400_000)).toBeUndefined()
})
