import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { fnv1a } from './fnv1a.ts'
import type { AlertId, BotId, UserId } from './id.ts'
import {
  alertFilter,
  alertSubject,
  eventFilter,
  eventSubject,
  partitionCount,
  partitionOf,
  resultSubject,
} from './subject.ts'

const userId = '6f1d3c58-6c0f-4f43-9d0c-5b6d3e0a7c11' as UserId
const botId = '0b7c3ad5-6f0f-4f83-8a53-1f4f8f0f0a77' as BotId

// From the reference of Fowler, Noll and Vo.
test.each([
  ['', 0x811c9dc5],
  ['a', 0xe40c292c],
  ['b', 0xe70c2de5],
  ['foobar', 0xbf9cf968],
  ['chongo was here!\n', 0xd49930d5],
])('the FNV-1a of %j', (text, hash) => {
  expect(fnv1a(text)).toBe(hash)
})

describe('the partition of a user', () => {
  // A user whose partition changed would be run by two owners: these stay as they are.
  test.each([
    ['00000000-0000-4000-8000-000000000000', 53],
    ['6f1d3c58-6c0f-4f43-9d0c-5b6d3e0a7c11', 13],
    ['0b7c3ad5-6f0f-4f83-8a53-1f4f8f0f0a77', 50],
    ['ffffffff-ffff-4fff-bfff-ffffffffffff', 11],
  ])('of %s never changes', (id, partition) => {
    expect(partitionOf(id as UserId)).toBe(partition)
  })

  test('is one of 64, and users are spread over all of them', () => {
    const users = fc.sample(fc.uuid(), { numRuns: 6400, seed: 1 })
    const counts = new Map<number, number>()
    for (const user of users) {
      const partition = partitionOf(user as UserId)
      counts.set(partition, (counts.get(partition) ?? 0) + 1)
    }
    expect([...counts.keys()].sort((a, b) => a - b)).toEqual(
      Array.from({ length: partitionCount }, (_, partition) => partition),
    )
    expect(Math.max(...counts.values())).toBeLessThan(200)
  })
})

describe('a subject', () => {
  test('of an alert lies in the filter of its partition', () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        const partition = partitionOf(id as UserId)
        expect(alertSubject(id as UserId)).toBe(alertFilter(partition).replace('*', id))
      }),
    )
  })

  test('of an event lies in the filter of its user', () => {
    expect(eventSubject(userId, botId)).toBe(eventFilter(userId).replace('*', botId))
    expect(eventSubject(userId, null)).toBe(`event.${userId}.-`)
  })

  test('of a result names its alert', () => {
    expect(resultSubject('01ARZ3NDEKTSV4RRFFQ69G5FAV' as AlertId)).toBe('result.01ARZ3NDEKTSV4RRFFQ69G5FAV')
  })
})
