import { expect, test } from '@jest/globals'
import { type MarketId, marketOf } from './market.ts'
import { firesAtOnce, followed, isReached, type Trigger } from './trigger.ts'

const market = marketOf('binance-futures:BTCUSDT' as MarketId)
const at = (dollars: number) => BigInt(dollars) * 100_000_000n
const price = (dollars: number) => BigInt(dollars) * 100n

test('a trigger is reached when the price has come to it, from its side', () => {
  const rises: Trigger = { by: 'last', when: 'rises', price: price(100) }
  expect([99, 100, 101].map((dollars) => isReached(market, rises, at(dollars)))).toEqual([false, true, true])
  const falls: Trigger = { ...rises, when: 'falls' }
  expect([99, 100, 101].map((dollars) => isReached(market, falls, at(dollars)))).toEqual([true, true, false])
})

test('a trailing trigger follows the best price and never goes back', () => {
  let trigger: Trigger = {
    by: 'last',
    when: 'falls',
    price: 0n,
    trailing: { callback: { rate: 100_000n } },
  }
  const prices = [100, 120, 110, 130, 118].map((dollars) => {
    trigger = followed(market, trigger, at(dollars))
    return [trigger.price, isReached(market, trigger, at(dollars))]
  })
  expect(prices).toEqual([
    [price(90), false],
    [price(108), false],
    [price(108), false],
    [price(117), false],
    [price(117), false],
  ])
  expect(isReached(market, trigger, at(117))).toBe(true)
})

test('a trailing trigger sleeps until its activation', () => {
  const trigger: Trigger = {
    by: 'mark',
    when: 'rises',
    price: 0n,
    trailing: { callback: { distance: price(5) }, activation: price(90) },
  }
  expect(firesAtOnce(market, trigger, at(100))).toBe(false)
  expect(firesAtOnce(market, trigger, at(80))).toBe(true)
  expect(followed(market, trigger, at(95))).toBe(trigger)
  expect(isReached(market, trigger, at(200))).toBe(false)
  const active = followed(market, trigger, at(88))
  expect(active).toMatchObject({ price: price(93), trailing: { extreme: price(88) } })
  expect(isReached(market, active, at(93))).toBe(true)
})
