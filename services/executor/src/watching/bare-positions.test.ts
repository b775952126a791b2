import { beforeEach, describe, expect, test } from '@jest/globals'
import type { Log } from '@tripline/kit/telemetry/log'
import type { BotId, UserId } from '@tripline/proto/id'
import { partitionOf } from '@tripline/proto/subject'
import { testLog } from '@tripline/testkit/log'
import type { Protection } from '../domain/group/protection.ts'
import type { Venue } from '../venue/venue.ts'
import { type BarePositions, createBarePositions, type ProtectedPosition } from './bare-positions.ts'

const userId = 'user' as UserId
const botId = 'bot' as BotId
const subject: ProtectedPosition = { userId, botId, symbol: 'BTCUSDT' }

let running: { subject: ProtectedPosition; protection: () => Protection | undefined }[]
let held: Map<string, string>
let isLinked: boolean
let logged: object[]
let bare: BarePositions
beforeEach(() => {
  running = []
  held = new Map()
  isLinked = true
  logged = []
  const log = { ...testLog('bare'), warn: (fields: object) => void logged.push(fields) } as unknown as Log
  const positionNow = (symbol: string, side = 'both') => held.get(`${symbol} ${side}`)
  bare = createBarePositions({
    running: {
      bots: () => running.map((one) => one.subject.botId),
      ofBot: (id) => running.filter((one) => one.subject.botId === id),
    },
    venueOf: () => ({ positionNow, market: () => ({ minQuantity: '0.0001' }) }) as unknown as Venue,
    isLinked: () => isLinked,
    log,
  })
})

const watch = (
  stop: Protection['stop'],
  positionSide: Protection['positionSide'] = 'both',
  place = subject,
  coins: { coins?: string } = {},
): void => void running.push({ subject: place, protection: () => ({ positionSide, stop, ...coins }) })

describe('a position whose stop is missing', () => {
  test('is counted while it is open, and logged once with its bot', () => {
    watch('missing')
    held.set('BTCUSDT both', '0.02')
    expect([bare.counts(), bare.counts()]).toEqual([
      { open: 1, unknown: 0 },
      { open: 1, unknown: 0 },
    ])
    expect(logged).toMatchObject([{ userId, botId, symbol: 'BTCUSDT', quantity: '0.02' }])
  })

  test('is counted apart while it is not known whether it is open, and not logged', () => {
    watch('missing')
    expect(bare.counts()).toEqual({ open: 0, unknown: 1 })
    expect(logged).toEqual([])
  })

  test('is counted once, also where it becomes unknown and known again', () => {
    bare.note({ ...subject, positionSide: 'both' })
    watch('missing')
    held.set('BTCUSDT both', '0.02')
    expect(bare.counts()).toEqual({ open: 1, unknown: 0 })
    held.clear()
    expect(bare.counts()).toEqual({ open: 0, unknown: 1 })
    held.set('BTCUSDT both', '0.02')
    expect(bare.counts()).toEqual({ open: 1, unknown: 0 })
    expect(logged).toHaveLength(1)
  })

  test('is logged anew where it had its stop again meanwhile', () => {
    watch('missing')
    held.set('BTCUSDT both', '0.02')
    bare.check()
    running = []
    bare.check()
    watch('missing')
    bare.check()
    expect(logged).toHaveLength(2)
  })

  test.each(['stands', 'open', 'over'] as const)('is none where a stop is %s', (stop) => {
    watch(stop)
    held.set('BTCUSDT both', '0.02')
    expect(bare.counts()).toEqual({ open: 0, unknown: 0 })
  })

  test('is none where another stop stands for it', () => {
    watch('missing')
    watch('stands')
    bare.note(subject)
    held.set('BTCUSDT both', '0.02')
    expect(bare.counts()).toEqual({ open: 0, unknown: 0 })
  })

  test('is one also where the other side of a hedge has its stop', () => {
    watch('missing', 'long')
    watch('stands', 'short')
    held.set('BTCUSDT long', '0.02')
    expect(bare.counts()).toEqual({ open: 1, unknown: 0 })
  })

  test('is none of another symbol or bot', () => {
    watch('missing')
    watch('stands', 'both', { ...subject, symbol: 'ETHUSDT' })
    watch('stands', 'both', { ...subject, botId: 'other' as BotId })
    held.set('BTCUSDT both', '0.02')
    expect(bare.counts()).toEqual({ open: 1, unknown: 0 })
  })
})

describe('a position whose stop was refused, or of which nothing is watched any more,', () => {
  beforeEach(() => {
    held.set('BTCUSDT both', '0.02')
    bare.note(subject)
  })

  test('is noted without a look at the positions of other bots', () => {
    let looks = 0
    running.push({
      subject: { ...subject, botId: 'other' as BotId },
      protection: () => {
        looks++
        return undefined
      },
    })
    bare.note({ ...subject, symbol: 'ETHUSDT' })
    expect(looks).toBe(0)
    expect(bare.counts()).toEqual({ open: 1, unknown: 1 })
    expect(looks).toBe(1)
  })

  test('is counted until it is closed, for good', () => {
    expect(bare.counts()).toEqual({ open: 1, unknown: 0 })
    held.set('BTCUSDT both', '0')
    expect(bare.counts()).toEqual({ open: 0, unknown: 0 })
    held.set('BTCUSDT both', '0.01')
    expect(bare.counts()).toEqual({ open: 0, unknown: 0 })
  })

  test('is counted until a stop stands for it', () => {
    watch('stands')
    expect(bare.counts()).toEqual({ open: 0, unknown: 0 })
    running = []
    expect(bare.counts()).toEqual({ open: 0, unknown: 0 })
  })

  test('is forgotten with its bot', () => {
    isLinked = false
    expect(bare.counts()).toEqual({ open: 0, unknown: 0 })
  })

  test('is forgotten with its partition', () => {
    bare.leave(partitionOf(userId))
    expect(bare.counts()).toEqual({ open: 0, unknown: 0 })
  })
})

describe('coins whose stop is missing', () => {
  const holds = (quantity: string): unknown => held.set('BTCUSDT both', quantity)
  const isBare = (): boolean => bare.counts().open === 1

  test('are counted until too little of them is left to be sold', () => {
    watch('missing', 'both', subject, { coins: '0.02' })
    holds('0.01998')
    expect(isBare()).toBe(true)
    holds('0.01')
    expect(isBare()).toBe(true)
    holds('0.00008')
    expect(isBare()).toBe(false)
  })

  test('are none where they were sold before', () => {
    bare.note({ ...subject, coins: '0.02' })
    expect(bare.counts()).toEqual({ open: 0, unknown: 1 })
    holds('0.00008')
    expect(bare.counts()).toEqual({ open: 0, unknown: 0 })
  })

  test.each(['watched', 'noted'])('are gone though others of their kind are held: %s', (how) => {
    if (how === 'watched') watch('missing', 'both', subject, { coins: '0.02' })
    else bare.note({ ...subject, coins: '0.02' })
    holds('5.02')
    expect(isBare()).toBe(true)
    holds('5.01')
    expect(isBare()).toBe(true)
    holds('5.00003')
    expect([isBare(), isBare()]).toEqual([false, false])
  })

  test('are none where another stop stands for them', () => {
    bare.note({ ...subject, coins: '0.02' })
    watch('stands', 'both', subject, { coins: '0.02' })
    holds('0.02')
    expect(isBare()).toBe(false)
  })
})
