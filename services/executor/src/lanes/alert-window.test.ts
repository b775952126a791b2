import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from '@jest/globals'
import type { UserId } from '@tripline/proto/id'
import type { LaneUses } from './alert-lanes.ts'
import { type WindowItem, windowLimits } from './alert-memory.ts'
import { type AlertWindow, createAlertWindow } from './alert-window.ts'

interface Item extends WindowItem {
  name: string
}

const limits = { smallBytes: 100, userAlerts: 3, userBytes: 2000, headBytes: 200, totalBytes: 3000 }
const btc = [{ venue: 'futures', lane: 'BTCUSDT' }]
const eth = [{ venue: 'futures', lane: 'ETHUSDT' }]
const usual = { number: 1, isCareful: false }

interface Opened {
  window: AlertWindow<Item>
  /** Begun alerts, in order: at once, or later with their body read again. */
  begun: string[]
  offer: (name: string, bytes?: number, partition?: WindowItem['partition'], lanes?: LaneUses) => Item
}

/** A window, and what begins; the first letter of an alert's name is its user. */
function open(): Opened {
  const begun: string[] = []
  const window = createAlertWindow<Item>(limits, async ({ name }) => {
    await nextTurn()
    begun.push(name)
  })
  return {
    window,
    begun,
    offer: (name, bytes = 10, partition = usual, lanes = undefined) => {
      const item = { name, userId: name.charAt(0) as UserId, bytes, partition, lanes }
      if (window.enter(item)) begun.push(name)
      return item
    },
  }
}

/** Lets everything begin that has room. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await nextTurn()
}

describe('a window on alerts that wait', () => {
  test('small alerts begin at once, up to so many of a user, and the others in their order', async () => {
    const { begun, offer, window } = open()
    const [first, second] = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1'].map((name) => offer(name))
    expect(begun).toEqual(['a1', 'a2', 'a3', 'b1'])
    expect(window.waiting()).toBe(2)
    if (first) window.leave(first)
    if (second) window.leave(second)
    await settle()
    expect(begun).toEqual(['a1', 'a2', 'a3', 'b1', 'a4', 'a5'])
  })

  test('no alert of a user overtakes a waiting one, however small it is', async () => {
    const { begun, offer, window } = open()
    const large = offer('a1', 1500)
    offer('a2', 1500)
    offer('a3')
    await settle()
    expect(begun).toEqual(['a1'])
    window.leave(large)
    await settle()
    expect(begun).toEqual(['a1', 'a2', 'a3'])
  })

  test('the alerts of one user leave room for the small alerts of all others, and for the large ones in turn', async () => {
    const { begun, offer, window } = open()
    const held = [offer('a1', 1500), offer('b1', 1500)]
    await settle()
    for (const name of ['a2', 'a3', 'b2', 'c1']) offer(name, 1500)
    offer('d1')
    await settle()
    expect(begun).toEqual(['a1', 'b1', 'd1'])
    for (const item of held) window.leave(item)
    await settle()
    expect(begun.slice(3).toSorted()).toEqual(['a2', 'b2'])
  })

  test('of large alerts one begins in a turn of the event loop', () => {
    const { begun, offer } = open()
    offer('a1', 1000)
    offer('b1', 1000)
    offer('c1')
    expect(begun).toEqual(['a1', 'c1'])
  })

  test('one that sleeps takes no room', async () => {
    const { begun, offer, window } = open()
    const [first] = ['a1', 'a2', 'a3', 'a4'].map((name) => offer(name))
    if (first) window.setAside(first, true)
    await settle()
    expect(begun).toEqual(['a1', 'a2', 'a3', 'a4'])
    if (first) window.setAside(first, false)
    offer('a5')
    expect(window.waiting()).toBe(1)
  })

  test('a careful partition runs one alert of a user at a time, and few of the large ones', async () => {
    const careful = { number: 2, isCareful: true }
    const { begun, offer, window } = open()
    const first = offer('a1', 1000, careful)
    offer('a2', 10, careful)
    offer('b1', 1000, careful)
    offer('c1', 10, careful)
    await settle()
    expect(begun).toEqual(['a1', 'c1'])
    window.leave(first)
    await settle()
    expect(begun.toSorted()).toEqual(['a1', 'a2', 'b1', 'c1'])
  })

  test('an alert that was run carefully gives its room back though its partition is careful no more', async () => {
    const careful = { number: 2, isCareful: true }
    const { begun, offer, window } = open()
    const first = offer('a1', 1000, careful)
    careful.isCareful = false
    window.leave(first)
    await settle()
    offer('b1', 1000, { number: 3, isCareful: true })
    expect(begun).toEqual(['a1', 'b1'])
  })

  test('a partition that is left returns its alerts that have not begun, also one that is just being read', async () => {
    const { begun, offer, window } = open()
    const large = offer('a1', 1500)
    for (const name of ['a2', 'a3']) offer(name, 1500)
    offer('b1', 1500, { number: 2, isCareful: false })
    window.leave(large)
    expect(window.drop(1).map(({ name }) => name)).toEqual(['a2', 'a3'])
    expect(window.drop(1).map(({ name }) => name)).toEqual(['a2'])
    await settle()
    expect(begun).not.toContain('a3')
  })

  test('the first alert of a lane begins, however many of other lanes wait, and the next one behind it', async () => {
    const { begun, offer, window } = open()
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) offer(name, 10, usual, btc)
    const exit = offer('a6', 10, usual, eth)
    offer('a7', 10, usual, eth)
    offer('a8', 10, usual, [{ venue: 'spot' }])
    expect(begun).toEqual(['a1', 'a2', 'a3', 'a6', 'a8'])
    window.leave(exit)
    await settle()
    expect(begun).toEqual(['a1', 'a2', 'a3', 'a6', 'a8', 'a7'])
  })

  test('an alert of several lanes overtakes nothing of any of them, and one of the whole venue nothing there', async () => {
    const { begun, offer, window } = open()
    const [first] = ['a1', 'a2', 'a3', 'a4'].map((name) => offer(name, 10, usual, btc))
    offer('a5', 10, usual, [...btc, ...eth])
    offer('a6', 10, usual, eth)
    offer('a7', 10, usual, [{ venue: 'futures' }])
    offer('a8')
    offer('a9', 10, usual, [{ venue: 'spot' }])
    expect(begun).toEqual(['a1', 'a2', 'a3'])
    if (first) window.leave(first)
    await settle()
    expect(begun).toEqual(['a1', 'a2', 'a3', 'a4'])
  })

  test('the additional room for the first alerts of lanes is bounded', async () => {
    const { begun, offer, window } = open()
    for (const name of ['a1', 'a2', 'a3']) offer(name, 10, usual, btc)
    const [head] = [1, 2, 3].map((lane) =>
      offer(`a${lane + 3}`, 100, usual, [{ venue: 'futures', lane: `${lane}` }]),
    )
    await settle()
    expect(begun).toEqual(['a1', 'a2', 'a3', 'a4', 'a5'])
    if (head) window.leave(head)
    await settle()
    expect(begun.at(-1)).toBe('a6')
  })

  test('an alert beyond every limit runs alone', async () => {
    const { begun, offer, window } = open()
    const giant = offer('a1', 100_000)
    offer('b1', 300)
    await settle()
    expect(begun).toEqual(['a1'])
    window.leave(giant)
    await settle()
    expect(begun).toEqual(['a1', 'b1'])
  })

  test('the limits follow the heap', () => {
    expect(windowLimits(200_000_000).totalBytes).toBe(2_000_000)
  })
})
