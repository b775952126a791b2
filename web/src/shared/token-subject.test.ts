import { expect, test } from '@jest/globals'
import { tokenSubject } from './token-subject.ts'

const tokenOf = (claims: object) => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'EdDSA' })}.${part(claims)}.signature`
}

test('a token names its user, whatever else it contains', () => {
  const sub = '0b8f6c1e-6a53-4b0e-9c86-6c2a9b9d6a11'
  expect(tokenSubject(tokenOf({ sub, sid: 'a', exp: 1 }))).toBe(sub)
  expect(tokenSubject(tokenOf({ exp: 2, sid: 'ÿ?>', sub }))).toBe(sub)
})

test.each([null, '', 'run out', 'a.%.c', tokenOf({ sid: 'a' })])('%j names nobody', (token) => {
  expect(tokenSubject(token)).toBeUndefined()
})
