import { beforeEach, describe, expect, test } from '@jest/globals'
import { AlertId, UserId } from '@tripline/proto/id'
import { openWaiting, type WaitingAlerts } from './waiting.ts'

const user = UserId.parse('0193f5a0-0000-7000-8000-000000000001')
const other = UserId.parse('0193f5a0-0000-7000-8000-000000000002')
const idOf = (number: number): AlertId => AlertId.parse(`01KAJ${String(number).padStart(21, '0')}`)
const quotas = { bytesWaiting: 1000, commandsWaiting: 10, alertsWaiting: 20 }

let stored: number | Error
let most: number
let noted: number
let asked: number
let waiting: WaitingAlerts

beforeEach(() => {
  stored = 0
  asked = 0
  most = Number.POSITIVE_INFINITY
  noted = 0
  const countOf = async (): Promise<number> => {
    asked++
    if (stored instanceof Error) throw stored
    return stored
  }
  waiting = openWaiting(countOf, quotas, {
    most: ({ share }) => most * share,
    note: (bytes) => {
      noted += bytes
    },
    stop: () => undefined,
  })
})

async function take(numbers: readonly number[], bytes = 100, userId = user): Promise<(string | undefined)[]> {
  const outcomes: (string | undefined)[] = []
  for (const number of numbers)
    outcomes.push((await waiting.take(userId, idOf(number), { bytes, commands: 1 }))?.quota)
  return outcomes
}

describe('alerts that wait', () => {
  test('are taken up to a quota, and again as they are done', async () => {
    stored = new Error('the bus is away')
    expect(await take([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])).toEqual(Array.from({ length: 10 }))
    expect(await take([11])).toEqual(['bytesWaiting'])
    expect(await take([12], 0)).toEqual(['commandsWaiting'])
    waiting.release(idOf(3))
    expect(await take([13, 14])).toEqual([undefined, 'bytesWaiting'])
  })

  test('are taken up to the room that is left for all, and counted there once they are taken', async () => {
    most = 400
    stored = new Error('the bus is away')
    expect(await take([1, 2, 3, 4, 5])).toEqual([undefined, undefined, undefined, undefined, 'roomLeft'])
    expect(noted).toBe(400)
    expect(await take([6], 401, other)).toEqual(['roomLeft'])
    stored = 0
    expect(await take([7])).toEqual([undefined])
  })

  test('are not asked for at the stream below a quarter of a quota', async () => {
    await take([1, 2])
    expect(asked).toBe(0)
    await take([3])
    expect(asked).toBe(1)
  })

  test('are taken up to a number, and beyond it those alone that may take a larger share', async () => {
    stored = 20
    const small = { bytes: 1, commands: 0 }
    for (const number of [1, 2, 3, 4, 5]) await waiting.take(user, idOf(number), small)
    expect(await waiting.take(user, idOf(6), small)).toMatchObject({ quota: 'alertsWaiting' })
    expect(await waiting.take(user, idOf(7), small, true)).toBeUndefined()
    stored = 25
    expect(await waiting.take(user, idOf(8), small, true)).toMatchObject({ quota: 'alertsWaiting' })
  })

  test('are forgotten without their results once the stream does not hold them', async () => {
    stored = 10
    await take([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(await take([11])).toEqual(['bytesWaiting'])
    stored = 2
    expect(await take([12, 13, 14])).toEqual([undefined, undefined, undefined])
  })

  test('of other replicas count, by the number that the stream reports', async () => {
    stored = 15
    expect(await take([1, 2, 3])).toEqual([undefined, undefined, 'bytesWaiting'])
  })

  test('of one user are none of another', async () => {
    stored = new Error('the bus is away')
    await take([1], 1000)
    expect(await take([2], 1, user)).toEqual(['bytesWaiting'])
    expect(await take([3], 1000, other)).toEqual([undefined])
  })

  test('are counted until they are done', async () => {
    stored = new Error('the bus is away')
    await take([1, 2])
    expect(waiting.release(idOf(2))).toBe(true)
    expect(waiting.release(idOf(2))).toBe(false)
  })
})
