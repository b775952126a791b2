import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type KeyTime, planKeys } from './signing-key-plan.ts'

const rotation = { everyMs: 1000, leadMs: 100, tokenLifeMs: 50 }
const ids = (keys: KeyTime[]): string[] => keys.map(({ id }) => id)

describe('signing keys', () => {
  test('the first is made at once', () => {
    expect(planKeys([], rotation, 5)).toEqual({ current: undefined, published: [], make: 5, forget: [] })
  })

  test('the next is published for a while before it signs', () => {
    const [a, b] = [
      { id: 'a', signsFrom: 0 },
      { id: 'b', signsFrom: 1000 },
    ]
    expect(planKeys([a], rotation, 899).make).toBeUndefined()
    expect(planKeys([a], rotation, 900).make).toBe(1000)
    const before = planKeys([a, b], rotation, 999)
    expect([before.current, ids(before.published), before.make]).toEqual([a, ['b', 'a'], undefined])
    expect(planKeys([a, b], rotation, 1000).current).toBe(b)
  })

  test('the one before stays published while a token of it may live, and is then forgotten', () => {
    const keys = [
      { id: 'a', signsFrom: 0 },
      { id: 'b', signsFrom: 1000 },
    ]
    expect(ids(planKeys(keys, rotation, 1049).published)).toEqual(['b', 'a'])
    const after = planKeys(keys, rotation, 1050)
    expect([ids(after.published), ids(after.forget)]).toEqual([['b'], ['a']])
  })

  test('whenever one looks, every living token has a published key that was published a lead before it signed', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 60 }), (steps) => {
        const seen = new Map<string, number>()
        const signed: { id: string; at: number }[] = []
        let keys: KeyTime[] = []
        let now = 0
        for (const step of steps) {
          now += step
          let plan = planKeys(keys, rotation, now)
          if (plan.make !== undefined)
            keys = [...keys, { id: String(keys.length) + now, signsFrom: plan.make }]
          plan = planKeys(keys, rotation, now)
          const published = ids(plan.published)
          for (const id of published) if (!seen.has(id)) seen.set(id, now)
          const living = signed.filter(({ at }) => now < at + rotation.tokenLifeMs)
          expect(living.filter(({ id }) => !published.includes(id))).toEqual([])
          const id = plan.current?.id ?? ''
          const isFirst = seen.size === 1
          expect(
            isFirst || now - (seen.get(id) ?? now) >= rotation.leadMs || id === [...seen.keys()][0],
          ).toBe(true)
          signed.push({ id, at: now })
          keys = keys.filter((key) => !plan.forget.includes(key))
        }
      }),
    )
  })
})
