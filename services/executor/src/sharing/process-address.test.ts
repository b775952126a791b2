import { expect, test } from '@jest/globals'
import { steadyNow } from '@tripline/kit/time/clock'
import { processAddress } from './process-address.ts'

const isKnown = process.platform === 'linux'

test('a place is the same for who listens there next, where the machine tells', async () => {
  const [first, next] = [await processAddress('127.0.0.1', 8080), await processAddress('127.0.0.1', 8080)]
  expect(first !== undefined).toBe(isKnown)
  expect(next?.name).toBe(first?.name)
})

test('who had it before was gone by now', async () => {
  const before = steadyNow()
  const place = await processAddress('127.0.0.1', 8080)
  if (isKnown) expect(place?.since).toBeGreaterThanOrEqual(before)
  expect(place === undefined || place.since <= steadyNow()).toBe(true)
})

test('another port or address is another place', async () => {
  const places = await Promise.all([
    processAddress('127.0.0.1', 8080),
    processAddress('127.0.0.1', 8081),
    processAddress('127.0.0.2', 8080),
  ])
  expect(new Set(places.map((place) => place?.name)).size).toBe(isKnown ? 3 : 1)
})

test('a name of an address is no place: it may stand for several', async () => {
  expect(await processAddress('localhost', 8080)).toBeUndefined()
})
