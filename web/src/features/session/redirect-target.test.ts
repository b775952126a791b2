import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { expiredLoginPath } from '../../shared/paths.ts'
import { redirectTarget } from './redirect-target.ts'

const origin = 'http://localhost:8080'
const targetOf = (redirect: string) => redirectTarget(`?redirect=${encodeURIComponent(redirect)}`, origin)

describe('the way back after a login', () => {
  test('leads to the path and query that the session expired on', () => {
    const { search } = new URL(expiredLoginPath('/executions?offset=20&symbol=BTCUSDT'), origin)
    expect(redirectTarget(search, origin)).toBe('/executions?offset=20&symbol=BTCUSDT')
  })

  test('leads to the first screen when none is asked for', () => {
    expect(redirectTarget('?session=expired', origin)).toBe('/dashboard')
    expect(redirectTarget('', origin)).toBe('/dashboard')
  })

  test('never leads back to the login', () => {
    expect(targetOf('/login?redirect=/terminal')).toBe('/dashboard')
  })

  test.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    'javascript:alert(1)',
    'terminal',
  ])('does not follow %j', (redirect) => {
    expect(targetOf(redirect)).toBe('/dashboard')
  })

  test('never leaves the origin', () => {
    const parts = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '\t',
      '\n',
      '@',
      ':',
      '//',
      'evil.example',
      'http:',
      '?',
      '#',
      '%2f',
    )
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 8 }), (pieces) => {
        const target = targetOf(pieces.join(''))
        expect(new URL(target, origin).origin).toBe(origin)
      }),
    )
  })
})
