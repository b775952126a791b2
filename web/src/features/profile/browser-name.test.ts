import { expect, test } from '@jest/globals'
import { browserName } from './browser-name.ts'

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/156.0.0.0 Safari/537.36`, 'Chrome on Linux'],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/156.0 Safari/537.36 Edg/156.0`,
    'Edge on Windows',
  ],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 14.5; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on macOS'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile Safari/604.1',
    'Safari on iOS',
  ],
  [`Mozilla/5.0 (Linux; Android 16) ${webkit} Chrome/156.0 Mobile Safari/537.36`, 'Chrome on Android'],
  ['curl/8.5.0', 'curl'],
  ['node', undefined],
  ['', undefined],
])('%s is %s', (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name)
})
