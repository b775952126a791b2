import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { decrypt, encrypt, generateKek, readKeks, rewrap } from './envelope.ts'

const keks = readKeks(generateKek('a'))

describe('an envelope', () => {
  test('gives back every text under the same key and context', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, context) => {
        expect(decrypt(keks, encrypt(keks, text, context), context)).toBe(text)
      }),
    )
  })

  test('never looks the same twice', () => {
    expect(encrypt(keks, 'text', 'context')).not.toBe(encrypt(keks, 'text', 'context'))
  })

  test('opens for no other context', () => {
    expect(() => decrypt(keks, encrypt(keks, 'text', 'mine'), 'yours')).toThrow()
  })

  test('opens with no other key, even under the same id', () => {
    expect(() => decrypt(readKeks(generateKek('a')), encrypt(keks, 'text', 'context'), 'context')).toThrow()
  })

  test('does not open once any byte was changed', () => {
    const [version, kekId, ...parts] = encrypt(keks, 'text', 'context').split('.')
    const bytes = parts.map((part) => Buffer.from(part, 'base64url'))
    for (const part of bytes) {
      for (let index = 0; index < part.length; index++) {
        part[index] = (part[index] ?? 0) ^ 1
        const changed = bytes.map((each) => each.toString('base64url'))
        expect(() => decrypt(keks, [version, kekId, ...changed].join('.'), 'context')).toThrow()
        part[index] = (part[index] ?? 0) ^ 1
      }
    }
  })

  test('still opens when its key is no longer the first', () => {
    const older = generateKek('old')
    const envelope = encrypt(readKeks(older), 'text', 'context')
    const rotated = readKeks(`${generateKek('new')}\n${older}`)
    expect(decrypt(rotated, envelope, 'context')).toBe('text')
    expect(encrypt(rotated, 'text', 'context')).toMatch(/^v1\.new\./)
  })

  test('opens without the older key once it is under the newer one', () => {
    const [older, newer] = [generateKek('old'), generateKek('new')]
    const envelope = encrypt(readKeks(older), 'text', 'context')
    const both = readKeks(`${newer}\n${older}`)
    const rewrapped = rewrap(both, envelope, 'context') ?? ''
    expect(decrypt(readKeks(newer), rewrapped, 'context')).toBe('text')
    expect(rewrap(both, rewrapped, 'context')).toBeUndefined()
    expect(() => rewrap(both, envelope, 'another')).toThrow()
  })
})

test('malformed keys are refused without being printed', () => {
  expect(() => readKeks('')).toThrow('no key-encryption key')
  expect(() => readKeks('a:c2hvcnQ')).toThrow('A key is not of the form <id>:<32 bytes in base64url>')
})
