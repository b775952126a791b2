import { expect, test } from '@jest/globals'
import { btcusdt, btcusdtSpot, commandsOf, entryOn } from '../../../test/btcusdt.ts'
import { isLikelyExit } from './likely-exit.ts'

test.each([
  ['market(position=0)', undefined, true],
  ['market(sell, 100%p)', undefined, true],
  ['market(sell, 100%)', 'buy', true],
  ['market(sell, 100%)', 'sell', false],
  ['market(sell, 100%)', undefined, false],
  ['market(buy, 0.01)', 'sell', true],
  ['market(position=0.05)', 'sell', false],
  ['limit(sell, 0.01, 61000, reduceOnly=true)', undefined, true],
  ['stop(sell, 100%p, e1%)', undefined, true],
  ['stopOrTakeProfit(sell, 100%p, sl=1%, tp=2%)', undefined, true],
  ['oco { stop(sell, 100%p, e1%); limit(sell, 100%p, e2%) }', undefined, true],
  ['oco { stop(sell, 0.01, 58000); limit(buy, 0.01, 57000) }', 'buy', false],
  ['cancel', undefined, true],
  ['balance', undefined, false],
  ['exchangeSettings(leverage=5)', undefined, false],
] as const)('%s after an entry by %s is a likely exit: %s', (text, lastEntry, isExit) => {
  const [command] = commandsOf(text)
  expect(command && isLikelyExit(command, btcusdt, lastEntry ? { both: entryOn(lastEntry) } : {})).toBe(
    isExit,
  )
})

test('the entry is that of the position that is addressed', () => {
  const [command] = commandsOf('market(buy, 100%, positionSide=short)')
  const entries = { long: entryOn('buy'), short: entryOn('sell') }
  expect(command && isLikelyExit(command, btcusdt, entries)).toBe(true)
  expect(command && isLikelyExit(command, btcusdt, { long: entryOn('sell') })).toBe(false)
})

test.each([
  ['market(sell, 50%)', true],
  ['limit(sell, 0.01, 61000)', true],
  ['market(buy, 50%)', false],
])('on spot %s is a likely exit: %s', (text, isExit) => {
  const [command] = commandsOf(text, 'spot')
  expect(command && isLikelyExit(command, btcusdtSpot, {})).toBe(isExit)
})
