import { describe, expect, test } from '@jest/globals'
import { readNamedKeys } from './named-key.ts'

const bytes = Buffer.alloc(32, 7)
const encoded = bytes.toString('base64url')

describe('named keys', () => {
  test('are separated by commas or lines', () => {
    expect(readNamedKeys(`a:${encoded}, b-2:${encoded}\n c_3:${encoded}\n`)).toEqual([
      { id: 'a', raw: bytes },
      { id: 'b-2', raw: bytes },
      { id: 'c_3', raw: bytes },
    ])
  })

  test('may be none', () => {
    expect(readNamedKeys(' \n')).toEqual([])
  })

  test.each([
    ['without an id', `:${encoded}`],
    ['without a colon', encoded],
    ['that is too short', 'a:c2hvcnQ'],
    ['that is too long', `a:${encoded}AAAA`],
    // The id stands between dots in what the key locks.
    ['with a dot in its id', `a.b:${encoded}`],
    ['with more behind it', `a:${encoded}:b`],
  ])('refuse a key %s and do not print it', (_name, text) => {
    expect(() => readNamedKeys(text)).toThrow('A key is not of the form <id>:<32 bytes in base64url>')
  })
})
