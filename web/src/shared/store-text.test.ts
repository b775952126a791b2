import { expect, test } from '@jest/globals'
import { storeText } from './store-text.ts'

test('a text is stored, or the browser has no room and nothing breaks', () => {
  const stored = new Map<string, string>()
  expect(storeText({ setItem: (key, text) => void stored.set(key, text) }, 'draft', 'text')).toBe(true)
  expect(stored.get('draft')).toBe('text')
  const full = {
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError')
    },
  }
  expect(storeText(full, 'draft', 'text')).toBe(false)
})
