import { describe, expect, test } from '@jest/globals'
import { type Copies, faultsOfCopies } from './copies.ts'

const copy = (name: string, differing: { current?: boolean; offline?: boolean; lag?: number } = {}) => ({
  name,
  current: true,
  offline: false,
  ...differing,
})
const events = (...others: ReturnType<typeof copy>[]): Copies => ({
  name: 'EVENTS',
  asked: 3,
  isLed: true,
  others,
})

describe('of copies', () => {
  test('nothing is said where all are there and up to date', () => {
    expect(faultsOfCopies([events(copy('two'), copy('three'))])).toEqual([])
    expect(faultsOfCopies([{ name: 'EVENTS', asked: 1, isLed: true, others: [] }])).toEqual([])
  })

  test('one that is offline is named, and that there are fewer than asked for', () => {
    const copies = events(copy('two'), copy('three', { offline: true, current: false }))
    expect(faultsOfCopies([copies])).toEqual(['EVENTS: 2 of 3 copies live, three is offline'])
  })

  test('one that is missing among the others is counted', () => {
    expect(faultsOfCopies([events(copy('two'))])).toEqual(['EVENTS: 2 of 3 copies live'])
  })

  test('one that lags is named, with by how much', () => {
    const copies = events(copy('two', { current: false, lag: 70 }), copy('three'))
    expect(faultsOfCopies([copies])).toEqual(['EVENTS: two lags by 70 messages'])
  })

  test('a stream that was made with fewer than the others is named', () => {
    const one: Copies = { name: 'KV_leases', asked: 1, isLed: true, others: [] }
    expect(faultsOfCopies([events(copy('two'), copy('three')), one])).toEqual([
      'KV_leases: made with 1 of 3 copies',
    ])
  })

  test('a stream that is not there, or nobody leads, is named', () => {
    const leaderless: Copies = {
      name: 'EVENTS',
      asked: 3,
      isLed: false,
      others: [copy('two'), copy('three')],
    }
    expect(faultsOfCopies([leaderless])).toEqual(['EVENTS: 2 of 3 copies live'])
    const copies = { name: 'ALERTS', fault: 'stream not found' }
    expect(faultsOfCopies([copies])).toEqual(['ALERTS: stream not found'])
  })
})
