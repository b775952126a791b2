import { expect, test } from '@jest/globals'
import { steadyNow } from '@tripline/kit/time/clock'
import { processAddress } from './process-address.ts'

const isKnown = process.platform === 'linux'

test('an address keeps its name for the next process that listens there, where the machine shows one', async () => {
  const [first, next] = [await processAddress('127.0.0.1', 8080), await processAddress('127.0.0.1', 8080)]
  expect(first !== undefined).toBe(isKnown)
  expect(next?.name).toBe(first?.name)
})

test('its former process was gone by now', async () => {
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
