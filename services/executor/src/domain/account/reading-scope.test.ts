import { describe, expect, test } from '@jest/globals'
import type { Command } from '@tripline/proto/alert-tree'
import fc from 'fast-check'
import {
  accountReading,
  btcusdt,
  btcusdtSpot,
  commandsOf,
  flat,
  spotHoldings,
} from '../../../test/btcusdt.ts'
import type { Market } from '../order/market.ts'
import { type OrderCommand, resolveCommand } from '../resolve/command.ts'
import type { AccountReading } from './account.ts'
import { permit } from './permit.ts'
import { scopeOf } from './reading-scope.ts'

function scopeIn(text: string, kind: 'futures' | 'spot' = 'futures') {
  const [command] = commandsOf(text, kind)
  if (command === undefined) throw new Error(text)
  return scopeOf(command, kind === 'spot' ? 'spot' : 'linear')
}

describe('the scope of a command', () => {
  test.each([
    ['market(position=0)', 'position'],
    ['market(position=-0.05)', 'position'],
    ['market(sell, 100%p)', 'position'],
    ['market(buy, 100$)', 'position'],
    ['limit(buy, 0.01, offset=1%)', 'position'],
    ['stop(sell, 100%p, e1%)', 'position'],
    ['sltp(sell, 100%p, sl=1%, tp=2%)', 'position'],
    ['oco { stop(sell, 50%p, 58000); limit(sell, 50%p, 62000) }', 'position'],
    ['market(buy, 10%)', 'equity'],
    ['market(buy, 10%b)', 'equity'],
    ['market(position=225%)', 'equity'],
    ['oco { stop(sell, 100%, 58000); limit(sell, 50%p, 62000) }', 'equity'],
    ['market(buy, 100%a)', 'all'],
    ['oco { stop(sell, 100%, 58000); limit(sell, 50%a, 62000) }', 'all'],
    ['balance', 'all'],
  ])('%s: %s', (text, scope) => {
    expect(scopeIn(text)).toBe(scope)
  })

  test.each([
    ['market(position=0)', 'position'],
    ['market(sell, 100%)', 'equity'],
    ['market(buy, 50%a)', 'equity'],
    ['balance', 'all'],
  ])('on spot %s: %s', (text, scope) => {
    expect(scopeIn(text, 'spot')).toBe(scope)
  })
})

const amount = fc
  .tuple(fc.integer({ min: 1, max: 300 }), fc.constantFrom('', '%', '%b', '%a', '%p', '$', 'USDT', 'BTC'))
  .map(([value, basis]) => `${value}${basis}`)
const side = fc.constantFrom('buy', 'sell')
const reduceOnly = fc.constantFrom('', ', reduceOnly=true')
const order = fc.oneof(
  fc.tuple(side, amount, reduceOnly).map(([one, size, more]) => `market(${one}, ${size}${more})`),
  amount.map((size) => `market(position=${size})`),
  fc.tuple(side, amount).map(([one, size]) => `limit(${one}, ${size}, offset=1%)`),
  fc.tuple(side, amount).map(([one, size]) => `stop(${one}, ${size}, offset=1%)`),
  fc.tuple(side, amount).map(([one, size]) => `sltp(${one}, ${size}, sl=1%, tp=2%)`),
)
const legs = fc
  .array(fc.tuple(side, amount), { minLength: 2, maxLength: 3 })
  .map((all) => `oco { ${all.map(([one, size]) => `limit(${one}, ${size}, offset=1%)`).join('; ')} }`)
const account = fc.constantFrom<Partial<AccountReading>>({}, flat, { position: '-0.2' })

/** Returns a command's outcome with each of these readings. */
function outcomesOf(command: Command, market: Market, readings: readonly AccountReading[]) {
  const limits = {
    tradingState: 'active',
    maxEntryAgeMs: 60_000,
    exitRetryMs: 600_000,
    maxOrderValue: '5000',
  } as const
  return readings.map((reading) => {
    const resolution = resolveCommand(command as OrderCommand, market, reading)
    const orders = resolution.outcome === 'orders' ? resolution.orders : []
    return { resolution, permitted: permit(orders, reading, 0, limits) }
  })
}

describe('holdings outside of its scope do not change the result of a command', () => {
  test('on futures', () => {
    fc.assert(
      fc.property(fc.oneof(order, legs), account, (text, differing) => {
        const [command] = commandsOf(text, 'futures')
        if (command === undefined) return
        const all = accountReading(differing)
        const scope = scopeOf(command, 'linear')
        const known = { ...all, holdings: [], available: null, settings: null }
        const within = scope === 'all' ? all : scope === 'equity' ? known : { ...known, equity: null }
        const [whole, part] = outcomesOf(command, btcusdt, [all, within])
        expect(part).toEqual(whole)
      }),
      { numRuns: 1000 },
    )
  })

  test('on spot, where they are other coins', () => {
    fc.assert(
      fc.property(fc.oneof(order, legs), (text) => {
        // Nothing on spot is said to be an exit.
        const [command] = commandsOf(text.replaceAll(', reduceOnly=true', ''), 'spot')
        if (command === undefined) return
        const within = accountReading({ ...spotHoldings, settings: null })
        const others = [
          { coin: 'BNB', total: '7', free: '6' },
          { coin: 'ETH', total: '0', free: '0' },
        ]
        const all = { ...within, holdings: [...others, ...within.holdings] }
        expect(scopeOf(command, 'spot')).not.toBe('all')
        const [whole, part] = outcomesOf(command, btcusdtSpot, [all, within])
        expect(part).toEqual(whole)
      }),
      { numRuns: 1000 },
    )
  })
})
