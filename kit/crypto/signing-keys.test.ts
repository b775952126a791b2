import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { keepSigningKeys } from './signing-keys.ts'

describe('signing keys', () => {
  test('are asked for once, also by many at a time', async () => {
    const { keys, auth } = keep()
    auth.publish('one')
    await Promise.all(Array.from({ length: 10 }, async () => await keys.find('one')))
    expect(await keys.find('one')).toMatch(/^-----BEGIN PUBLIC KEY-----/)
    expect(auth.timesAsked()).toBe(1)
  })

  test('are asked for again when one is unknown, at most once in the floor', async () => {
    const { keys, auth, clock } = keep()
    auth.publish('one')
    await keys.find('one')
    auth.publish('two')
    expect(await keys.find('two')).toBeUndefined()
    clock.pass(1001)
    expect(await keys.find('two')).toBeDefined()
    for (let made = 0; made < 20; made++) expect(await keys.find(`made up ${made}`)).toBeUndefined()
    expect(auth.timesAsked()).toBe(2)
  })

  test('are no longer good some time after auth withdrew them', async () => {
    const { keys, auth, clock } = keep()
    auth.publish('one')
    await keys.find('one')
    auth.withdraw('one')
    expect(await keys.find('one')).toBeDefined()
    clock.pass(60_001)
    expect(await keys.find('one')).toBeUndefined()
  })

  test('stay good while auth is away', async () => {
    const { keys, auth, clock } = keep()
    auth.publish('one')
    await keys.find('one')
    auth.goAway()
    clock.pass(60_001)
    expect(await keys.find('one')).toBeDefined()
    await expect(keys.find('two')).rejects.toThrow('auth is away')
  })

  test('of another kind are passed over', async () => {
    const { keys, auth } = keep()
    auth.publish('one', { kty: 'RSA', n: 'AQAB', e: 'AQAB' })
    expect(await keys.find('one')).toBeUndefined()
  })
})

function keep() {
  let nowMs = 1_000_000
  let asked = 0
  let isAway = false
  const published = new Map<string, Record<string, unknown>>()
  const fetchKeys = async (): Promise<Record<string, unknown>[]> => {
    asked++
    if (isAway) throw new Error('auth is away')
    return [...published.values()]
  }
  return {
    keys: keepSigningKeys({ fetchKeys, now: () => nowMs, floorMs: 1000, maxAgeMs: 60_000 }),
    clock: {
      pass: (ms: number) => {
        nowMs += ms
      },
    },
    auth: {
      publish: (kid: string, spoiled: object = {}) => {
        published.set(kid, { ...publicJwk(kid), ...spoiled })
      },
      withdraw: (kid: string) => {
        published.delete(kid)
      },
      goAway: () => {
        isAway = true
      },
      timesAsked: () => asked,
    },
  }
}

function publicJwk(kid: string): Record<string, unknown> {
  const { publicKey } = generateKeyPairSync('ed25519')
  return { ...publicKey.export({ format: 'jwk' }), kid, alg: 'EdDSA', use: 'sig' }
}
