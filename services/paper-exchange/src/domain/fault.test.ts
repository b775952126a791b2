import { describe, expect, test } from '@jest/globals'
import { actsOn, meets, nextRandom, type Occasion, seedRandom } from './fault.ts'

const facts = {
  wire: 'binance-futures',
  method: 'POST',
  path: '/fapi/v1/order',
  apiKey: 'k',
  symbol: 'BTCUSDT',
}

describe('a fault meets a request', () => {
  test.each([
    [{}, true],
    [{ wire: 'binance-futures', method: 'post', path: '/fapi', apiKey: 'k', symbol: 'BTCUSDT' }, true],
    [{ wire: 'bybit' }, false],
    [{ method: 'GET' }, false],
    [{ path: '/fapi/v2' }, false],
    [{ apiKey: 'other' }, false],
    [{ symbol: 'ETHUSDT' }, false],
  ])('%j: %s', (match, met) => {
    expect(meets(match, facts)).toBe(met)
  })

  test('not by a symbol it does not name', () => {
    expect(meets({ symbol: 'BTCUSDT' }, { ...facts, symbol: undefined })).toBe(false)
  })
})

describe('a fault acts', () => {
  test.each<[Parameters<typeof actsOn>[0], Occasion, boolean]>([
    ['drop', 'request', true],
    ['drop', 'event', false],
    ['reject', 'fill', false],
    ['silent-stream', 'event', true],
    ['silent-stream', 'request', false],
    ['partial-fill', 'fill', true],
    ['stuck-trigger', 'trigger', true],
    ['expire-listen-key', 'listenKey', true],
    ['disconnect', 'event', true],
    ['disconnect', 'disconnect', true],
    ['disconnect', 'fill', false],
  ])('%s on %s: %s', (action, occasion, acts) => {
    expect(actsOn(action, occasion)).toBe(acts)
  })

  test('as a disconnect on requests over sockets only', () => {
    expect(actsOn('disconnect', 'request', 'ws')).toBe(true)
    expect(actsOn('disconnect', 'request', 'rest')).toBe(false)
  })
})

describe('a fault that names a field that its occasion lacks', () => {
  test('applies to fills and triggers with any method and path', () => {
    const fill = { wire: 'binance-futures', apiKey: 'k', symbol: 'BTCUSDT' }
    expect(meets({ method: 'POST', path: '/fapi/v1/order', apiKey: 'k' }, fill)).toBe(true)
    expect(meets({ method: 'POST', apiKey: 'j' }, fill)).toBe(false)
  })

  test('distinguishes requests over sockets from others', () => {
    expect(meets({ transport: 'ws' }, facts)).toBe(false)
    expect(meets({ transport: 'ws' }, { ...facts, transport: 'ws' })).toBe(true)
    expect(meets({ transport: 'rest' }, facts)).toBe(true)
  })
})

describe('the random numbers', () => {
  const numbers = (seed: number, count: number) => {
    let state = seedRandom(seed)
    return Array.from({ length: count }, () => {
      const next = nextRandom(state)
      state = next.state
      return next.value
    })
  }

  test('are the same for the same seed and others for another', () => {
    expect(numbers(1, 10)).toEqual(numbers(1, 10))
    expect(numbers(1, 10)).not.toEqual(numbers(2, 10))
  })

  test.each([0, 1, 42, -7, 0x9e3779b9])('spread evenly over [0, 1) from seed %i', (seed) => {
    const values = numbers(seed, 2_000)
    expect(values.every((value) => value >= 0 && value < 1)).toBe(true)
    expect(values.filter((value) => value < 0.5).length / 2_000).toBeCloseTo(0.5, 1)
  })
})
