import { expect, test } from '@jest/globals'
import { maskedUrl } from './masked-url.ts'

test('a shown webhook address has no token in it', () => {
  expect(maskedUrl('https://example.org/webhook/whk_a1B2-c3')).toBe('https://example.org/webhook/••••••••')
})
