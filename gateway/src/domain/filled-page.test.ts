import { expect, test } from '@jest/globals'
import { filledPage } from './filled-page.ts'

test('a page gets a word at each of its places', () => {
  const page = '<i nonce="__CSP_NONCE__"><a href="mailto:__CONTACT_EMAIL__">'
  expect(filledPage(page, { CSP_NONCE: 'abc/+=', CONTACT_EMAIL: 'a@b.example' })).toBe(
    '<i nonce="abc/+="><a href="mailto:a@b.example">',
  )
})

test('a word cannot leave its place', () => {
  expect(filledPage('<a href="__URL__">', { URL: 'https://x/?a=1&b="><script>' })).toBe(
    '<a href="https://x/?a=1&amp;b=&quot;&gt;&lt;script&gt;">',
  )
})

test('text that only looks like a place stays', () => {
  expect(filledPage('__proto__ __NOTHING__', {})).toBe('__proto__ __NOTHING__')
})
