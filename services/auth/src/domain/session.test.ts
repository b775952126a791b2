import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { isAlive, judgeRefresh } from './session.ts'

const limits = { idleMs: 100, longestMs: 1000 }
const session = { createdAt: 0, refreshedAt: 500, endedAt: null, usedGeneration: 3 }

describe('a session', () => {
  test('lives until it was idle too long, to the millisecond', () => {
    expect(isAlive(session, limits, 599)).toBe(true)
    expect(isAlive(session, limits, 600)).toBe(false)
  })

  test('lives no longer than the longest session', () => {
    expect(isAlive({ ...session, refreshedAt: 999 }, limits, 999)).toBe(true)
    expect(isAlive({ ...session, refreshedAt: 999 }, limits, 1000)).toBe(false)
  })

  test('does not live once it was ended', () => {
    expect(isAlive({ ...session, endedAt: 510 }, limits, 520)).toBe(false)
  })
})

describe('a refresh token', () => {
  test('refreshes when its successor was not used yet, else it is reuse', () => {
    const judged = [2, 3, 4].map((generation) => judgeRefresh(session, generation, limits, 550))
    expect(judged).toEqual(['reuse', 'refresh', 'refresh'])
  })

  test('of a session that is over means nothing', () => {
    expect(judgeRefresh(session, 4, limits, 600)).toBe('over')
  })

  test('is spent exactly from the first use of its successor on', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 50 }), (choices) => {
        const used = new Set<number>()
        for (const choice of choices) {
          const usedGeneration = Math.max(-1, ...used)
          // Any token that was given so far may come in; the newest is the successor of the newest used.
          const generation = choice % (usedGeneration + 2)
          const isSpent = used.has(generation + 1)
          const judged = judgeRefresh({ ...session, usedGeneration }, generation, limits, 550)
          expect(judged).toBe(isSpent ? 'reuse' : 'refresh')
          if (!isSpent) used.add(generation)
        }
      }),
    )
  })
})
