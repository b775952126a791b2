import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import {
  generateSealingPair,
  readOpeningKeys,
  readSealingKeys,
  type SealingKey,
  seal,
  unseal,
} from './seal.ts'

const pair = generateSealingPair('2026-11')
const openingKeys = readOpeningKeys(pair.privateText)

function sealingKey(publicText: string): SealingKey {
  const [key] = readSealingKeys(publicText)
  if (key === undefined) throw new Error('no key')
  return key
}

const key = sealingKey(pair.publicText)

describe('a seal', () => {
  test('opens to every text for its own context', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, context) => {
        expect(unseal(openingKeys, seal(key, text, context), context)).toBe(text)
      }),
    )
  })

  test('never looks the same twice, and shows nothing of its text', () => {
    const seals = Array.from({ length: 20 }, () => seal(key, 'the-secret-text', 'context'))
    expect(new Set(seals).size).toBe(20)
    expect(seals.join()).not.toContain('secret')
    expect(seals[0]).toMatch(/^v1\.2026-11(\.[\w-]+){4}$/)
  })

  test('opens for no other context', () => {
    expect(() => unseal(openingKeys, seal(key, 'text', 'mine'), 'yours')).toThrow()
  })

  test('opens with no other key, even under the same id', () => {
    const other = readOpeningKeys(generateSealingPair('2026-11').privateText)
    expect(() => unseal(other, seal(key, 'text', 'context'), 'context')).toThrow()
  })

  test('opens with none of no keys', () => {
    expect(() => unseal([], seal(key, 'text', 'context'), 'context')).toThrow('The seal is of no known key')
  })

  test('does not open once any byte was changed', () => {
    const [version, keyId, ...parts] = seal(key, 'text', 'context').split('.')
    const bytes = parts.map((part) => Buffer.from(part, 'base64url'))
    for (const part of bytes) {
      for (let index = 0; index < part.length; index++) {
        part[index] = (part[index] ?? 0) ^ 1
        const changed = bytes.map((each) => each.toString('base64url'))
        expect(() => unseal(openingKeys, [version, keyId, ...changed].join('.'), 'context')).toThrow()
        part[index] = (part[index] ?? 0) ^ 1
      }
    }
  })

  test.each(['', 'text', 'v1', 'v1.2026-11', 'v1.2026-11.a.b.c.d', 'v2.2026-11.a.b.c.d', 'v1.2026-11....'])(
    'is not %j',
    (text) => {
      expect(() => unseal(openingKeys, text, 'context')).toThrow()
    },
  )

  test('does not open when it is cut short or has more behind it', () => {
    const whole = seal(key, 'text', 'context')
    expect(() => unseal(openingKeys, whole.slice(0, -4), 'context')).toThrow()
    expect(() => unseal(openingKeys, `${whole}.AAAA`, 'context')).toThrow()
  })

  test('still opens when its key is no longer the first', () => {
    const newer = generateSealingPair('2027-01')
    const rotated = readOpeningKeys(`${newer.privateText}\n${pair.privateText}`)
    expect(unseal(rotated, seal(key, 'older', 'context'), 'context')).toBe('older')
    expect(unseal(rotated, seal(sealingKey(newer.publicText), 'newer', 'context'), 'context')).toBe('newer')
  })

  test('is made with the first key of the setting', () => {
    const newer = generateSealingPair('2027-01')
    expect(sealingKey(`${newer.publicText}, ${pair.publicText}`).id).toBe('2027-01')
  })

  test('can be made by the process that opens it', () => {
    const [own] = openingKeys
    if (own === undefined) throw new Error('no key')
    expect(unseal(openingKeys, seal(own, 'text', 'context'), 'context')).toBe('text')
  })
})
