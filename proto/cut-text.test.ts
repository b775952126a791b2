import { describe, expect, test } from '@jest/globals'
import { cutText, refusedTexts } from './cut-text.ts'

describe('cutText', () => {
  test('leaves a text as it is that fits', () => {
    expect(cutText('buy', 3)).toBe('buy')
    expect(cutText('', 0)).toBe('')
  })

  test('says how much of a longer one is left, and cuts no character in two', () => {
    expect(cutText('abcdef', 4)).toBe('abcd ... [cut: 4 of 6 characters]')
    expect(cutText('ab€€', 4)).toBe('ab ... [cut: 2 of 4 characters]')
    expect(cutText('a😀', 4)).toBe('a ... [cut: 1 of 3 characters]')
  })
})

test.each(['\u0001', '"', '\\', '\n', '\ud800', '€', '😀'])(
  'no more of many %j is stored than their bytes in storage',
  (text) => {
    const cut = cutText(text.repeat(2000), 1024)
    const bytes = new TextEncoder().encode(JSON.stringify(cut)).length
    expect(bytes).toBeGreaterThan(500)
    expect(bytes).toBeLessThan(1080)
  },
)

test('of a refused alert 1 kB is stored, of its message alone or of message and body', () => {
  expect(refusedTexts({ message: 'x'.repeat(1024) })).toEqual({ message: 'x'.repeat(1024) })
  const long = 'x'.repeat(65_000)
  expect(refusedTexts({ message: long }).message.length).toBeLessThan(1100)
  const both = refusedTexts({ message: long, body: `{"message":"${long}"}` })
  expect(both.message.length + (both.body?.length ?? 0)).toBeLessThan(1150)
})
