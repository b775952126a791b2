import { expect, test } from '@jest/globals'
import { draftFor, draftText } from './draft.ts'

const [one, another] = ['7b1e3a52-5e0b-4d5e-9a3b-0f4f0a9c1d11', '7b1e3a52-5e0b-4d5e-9a3b-0f4f0a9c1d12']

test('a draft comes back to its author, and to nobody else', () => {
  const stored = draftText(one, ' MyBot(BTCUSDT) {\n}')
  expect(draftFor(one, stored)).toBe(' MyBot(BTCUSDT) {\n}')
  expect(draftFor(another, stored)).toBeUndefined()
  expect(draftFor(one, null)).toBeUndefined()
})
