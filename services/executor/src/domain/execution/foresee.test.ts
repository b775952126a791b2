import { describe, expect, test } from '@jest/globals'
import { isExitMessage } from '@tripline/proto/exit'
import fc from 'fast-check'
import { anyCommand, places, readable } from '../../../test/any-commands.ts'
import {
  accountReading,
  btcusdt,
  btcusdtSpot,
  commandsOf,
  entryOn,
  flat,
  oneAtATime,
  spotHoldings,
} from '../../../test/btcusdt.ts'
import type { AccountReading } from '../account/account.ts'
import type { BotLimits } from '../account/permit.ts'
import type { Market } from '../order/market.ts'
import type { Side } from '../order/side.ts'
import { planCommands } from '../preview/plan.ts'
import { accountsAt, foreseeRefusal, mayBeForeseen } from './foresee.ts'

const active: BotLimits = { tradingState: 'active', maxEntryAgeMs: 60_000, exitRetryMs: 600_000 }

type Case = [text: string, expected: string | undefined, differing?: Partial<AccountReading>]

/** The command that is refused, and its code, in one word. */
function foreseen(text: string, differing: Partial<AccountReading> = flat, market: Market = btcusdt) {
  const commands = commandsOf(text, market.kind === 'spot' ? 'spot' : 'futures')
  const refusal = foreseeRefusal(commands, { market, accounts: [accountReading(differing)] })
  return refusal && `${refusal.command} ${refusal.code}`
}

describe('refusals behind an entry', () => {
  test.each<Case>([
    ['market(buy, 0.01); stop(sell, 100%p, 61000)', '1 E507'],
    ['market(buy, 0.01); stop(sell, 100%p, e-1%)', '1 E507'],
    ['market(sell, 0.01); stop(buy, 100%p, 59000)', '1 E507'],
    ['market(buy, 0.01); balance; stop(sell, 100%p, 61000); wait(1s)', '2 E507'],
    ['market(buy, 0.01); sltp(amount=100%p, sl=61000, tp=62000)', '1 E507'],
    ['market(buy, 0.01); oco { stop(sell, 100%p, 58000); limit(sell, 100%p, 50000) }', '1 E508'],
    ['market(buy, 0.01); limit(buy, 0.01, 70000)', '1 E508'],
    // Behind its trigger a limit is judged by that.
    ['market(buy, 0.01); stop(sell, 100%p, 58000, limitPrice=50000)', '1 E508'],
    ['market(buy, 0.01); stop(sell, 100%p, 58000, limitOffset=20%)', '1 E508'],
    ['market(buy, 0.01); sltp(amount=100%p, sl=58000, slLimitOffset=20%)', '1 E508'],
    ['market(buy, 0.01); sltp(amount=100%p, sl=58000, slLimitOffset=1%)', undefined],
    ['market(buy, 0.01); stop(sell, 100%p, 58000, limitPrice=57000)', undefined],
    ['market(buy, 0.01); stop(sell, 100%p, 45000, limitPrice=44500)', undefined],
    ['market(buy, 0.01); limit(sell, 100%p, 59000, postOnly=true)', '1 E509'],
    ['market(buy, 0.01); market(buy, 10$)', '1 E501'],
    ['market(buy, 0.01); limit(buy, 0.001, 59000)', '1 E504'],
    ['market(buy, 0.01); limit(buy, 2000, 59000)', '1 E503'],
    ['market(buy, 0.01); market(position=0); stop(sell, 100%p, 58000)', '2 E505'],
    ['market(buy, 0.01); limit(buy, 0.01, 61000, reduceOnly=true)', '1 E510'],
    ['exchangeSettings(leverage=5); market(buy, 0.01); stop(sell, 100%p, 61000)', '2 E507'],
    ['market(buy, 10%); market(buy, 10%); stop(sell, 100%p, 61000)', '2 E507'],
    ['limit(buy, 0.01, 59000); stop(sell, 100%p, 61000)', '1 E507'],
    ['cancel; market(buy, 0.01); stop(sell, 100%p, 61000)', '2 E507'],
    // An order that waits away from the market has bought nothing yet that could be protected.
    ['limit(buy, 50%, 59000); stop(sell, 100%p, 58000)', '1 E505'],
    ['limit(buy, 0.01, 59000); sltp(amount=100%p, sl=57000, tp=62000)', '1 E505'],
    ['limit(buy, 0.01, 59000); oco { stop(sell, 100%, 58000); limit(sell, 100%, 62000) }', '1 E505'],
    ['limit(buy, 0.01, 59000); stop(sell, 100%p, e1%)', '1 E512'],
    ['limit(buy, 0.01, 59000); limit(sell, 0.01, 62000, reduceOnly=true)', '1 E510'],
    ['stop(buy, 0.01, 61000); stop(sell, 100%p, 58000)', '1 E505'],
    ['market(position=0.2); stop(position=0, price=61000)', '1 E507', {}],
    ['market(buy, 0.2); stop(sell, 100%p, 61000)', '1 E507', { position: '-0.1' }],
  ])('is known: %s', (...[text, expected, differing]) => {
    expect(foreseen(text, differing)).toBe(expected)
  })

  test.each([
    ['limit(sell, 100%p, 90000.1)', '90000.1 is above 90000, the highest price of BTCUSDT'],
    ['stop(sell, 100%p, 556.7)', '556.7 is below 556.8, the lowest price of BTCUSDT'],
    ['sltp(amount=100%p, tp=90001)', '90001.0 is above 90000, the highest price of BTCUSDT'],
  ])('is known by the range of prices of the market: %s', (exit, message) => {
    const market: Market = { ...btcusdt, priceRange: { lowest: '556.8', highest: '90000' } }
    const commands = commandsOf(`market(buy, 0.01); ${exit}`)
    expect(foreseeRefusal(commands, { market, accounts: [accountReading(flat)] })).toEqual({
      command: 1,
      code: 'E508',
      message,
    })
  })

  test('has the words of the command that would be refused', () => {
    const commands = commandsOf('market(buy, 0.01); stop(sell, 100%p, 61000)')
    expect(foreseeRefusal(commands, { market: btcusdt, accounts: [accountReading(flat)] })).toEqual({
      command: 1,
      code: 'E507',
      message: '61000.0 would trigger at once: it must be below the market (60000)',
    })
  })

  test.each<Case>([
    ['market(buy, 0.01); stop(sell, 100%p, e1%); limit(sell, 100%p, e2%)', undefined],
    // Commands behind a wait meet another price.
    ['market(buy, 0.01); wait(1s); stop(sell, 100%p, 61000)', undefined],
    // Exits are done, however the following commands end.
    ['market(sell, 0.1); stop(sell, 100%p, 61000)', undefined, {}],
    ['market(position=0); stop(sell, 100%p, 61000)', undefined, {}],
    ['market(sell, 50%p); stop(sell, 100%p, 61000)', undefined, {}],
    ['cancel; stop(sell, 100%p, 61000)', undefined, {}],
    // The entry is refused itself, and nothing is bought.
    ['market(buy, 10$); stop(sell, 100%p, 61000)', undefined],
    ['stop(buy, 0.01, 59000); stop(sell, 100%p, 61000)', undefined],
    // Money and what it may come to.
    ['market(buy, 9); market(buy, 9)', undefined],
    // One at the market may be filled, or wait.
    ['limit(buy, 0.01, 60000.1); stop(sell, 100%p, 58000)', undefined],
    ['limit(buy, 0.01, 60000); stop(sell, 100%p, 58000)', undefined],
    ['limit(buy, 0.01, 59000, tif=ioc); stop(sell, 100%p, 58000)', undefined],
    // A position that is held is protected, whatever waits before that.
    ['limit(buy, 0.01, 59000); stop(sell, 100%p, 58000)', undefined, {}],
    ['limit(buy, 0.01, 59000); stop(sell, 100%, 58000)', undefined, {}],
    // Of another position mode nothing is known.
    ['exchangeSettings(positionMode=hedge); market(buy, 0.01); stop(sell, 100%p, 61000)', undefined],
    // Taken at once.
    ['market(buy, 0.01); sltp(amount=100%p, tp=59000)', undefined],
    // A command that may be refused for another reason than is known ends its block first.
    ['market(buy, 0.01); market(buy, 0.01, positionSide=long); stop(sell, 100%p, 61000)', undefined],
  ])('is not known: %s', (...[text, expected, differing]) => {
    expect(foreseen(text, differing)).toBe(expected)
  })

  test('is refused beyond the spread only', () => {
    const wide = { ...flat, bid: '59950', ask: '60050', mark: '60000' }
    const stopAt = (price: string) => `market(buy, 0.01); stop(sell, 100%p, ${price})`
    expect(foreseen(stopAt('59999.9'), wide)).toBeUndefined()
    expect(foreseen(stopAt('60000'), wide)).toBeUndefined()
    expect(foreseen(stopAt('60099.9'), wide)).toBeUndefined()
    expect(foreseen(stopAt('60100'), wide)).toBe('1 E507')
  })

  test('is judged on the side that a hedged command is about', () => {
    const none = { quantity: '0', entryPrice: null, unrealizedPnl: '0' }
    const hedged = { ...flat, hedged: { long: none, short: none } }
    const text = (price: string) =>
      `market(buy, 0.01, positionSide=long); stop(sell, 100%p, ${price}, positionSide=long)`
    expect(foreseen(text('61000'), hedged)).toBe('1 E507')
    expect(foreseen(text('58000'), hedged)).toBeUndefined()
    const closing = 'market(sell, 0.01, positionSide=long); stop(buy, 0.01, 59000, positionSide=short)'
    expect(
      foreseen(closing, { ...hedged, hedged: { long: { ...none, quantity: '1' }, short: none } }),
    ).toBeUndefined()
  })

  test('is not judged where its size hangs on money that was not asked for', () => {
    const text = 'market(buy, 0.01); limit(buy, 10%b, 70000)'
    expect(foreseen(text, { ...flat, equity: null, available: null })).toBeUndefined()
    expect(foreseen(text)).toBe('1 E508')
  })
})

describe('refusals behind an entry on spot', () => {
  const pair = 'oco { stop(sell, 100%, 58000); limit(sell, 100%, 62000) }'
  const noCoins = {
    ...spotHoldings,
    holdings: [{ coin: 'USDT', total: '1000', free: '1000' }],
    position: '0',
  }

  test.each<Case>([
    ['market(buy, 100$); stop(sell, 100%, 61000)', '1 E507'],
    ['market(buy, 50%); oco { stop(sell, 100%, 61000); limit(sell, 100%, 62000) }', '1 E507'],
    ['market(buy, 100$); oco { stop(sell, 50%, 58000); limit(sell, 100%, 62000) }', '1 E404'],
    ['market(buy, 100$); limit(buy, 0.00001, 59000)', '1 E504'],
    ['market(buy, 100$); oco { stop(sell, 100%, 58000); limit(sell, 100%, 62000) }', undefined],
    ['market(sell, 0.01); stop(buy, 0.01, 59000)', undefined, spotHoldings],
    ['market(buy, 100$); stop(sell, 0.5, 58000)', undefined],
    ['market(buy, 100$); oco { stop(sell, 100%, 58000); limit(sell, 100%, 59000) }', '1 E511'],
    ['market(buy, 50%); limit(sell, 100%, 62000); stop(sell, 100%, 58000)', '2 E501'],
    ['market(buy, 50%); limit(sell, 50%, 62000); stop(sell, 100%, 58000)', undefined],
    [`market(buy, 50%); ${pair}; stop(sell, 100%, 57000)`, '2 E501'],
  ])('%s: %s', (...[text, expected, differing = noCoins]) => {
    expect(foreseen(text, differing, btcusdtSpot)).toBe(expected)
  })

  test.each<Case>([
    ['market(buy, 50%); stop(sell, 100%, 58000); limit(sell, 100%, 62000)', '2 E501'],
    ['market(buy, 50%); stop(sell, 100%, 58000); stop(sell, 100%, 57000)', '2 E501'],
    ['market(buy, 50%); stop(sell, 50%, 58000); limit(sell, 100%, 62000)', undefined],
    [`market(buy, 50%); ${pair}; limit(sell, 100%, 63000)`, '2 E501'],
    ['market(buy, 50%); stop(sell, 100%, 58000); cancel; limit(sell, 100%, 62000)', undefined],
    [
      'market(buy, 50%); stop(sell, 100%, 58000); market(position=0); market(buy, 50%); stop(sell, 100%, 58000)',
      undefined,
    ],
  ])('as a stop is for the coins, though the exchange locks none for it: %s: %s', (text, expected) => {
    expect(foreseen(text, noCoins, oneAtATime)).toBe(expected)
  })
})

test('behind a cancel it is not known whether the last entry still waits', () => {
  const lastEntries = { both: entryOn('sell', { rests: true, waiting: { order: 'one' } }) }
  const text = 'market(buy, 100%); stop(sell, 100%p, 58000)'
  const behind = { ...flat, lastEntries }
  expect(foreseen(`market(buy, 100%b); cancel; ${text}`, behind)).toBeUndefined()
  expect(foreseen(`cancel; ${text}`, behind)).toBeUndefined()
})

describe('where nothing but the price is known', () => {
  const { bid, ask, mark } = accountReading()

  function byPrice(text: string, lastEntry: Side | undefined, market: Market = btcusdt) {
    const commands = commandsOf(text, market.kind === 'spot' ? 'spot' : 'futures')
    const lastEntries = lastEntry === undefined ? {} : { both: entryOn(lastEntry) }
    const accounts = accountsAt({ bid, ask, mark }, market, lastEntries)
    const refusal = foreseeRefusal(commands, { market, accounts, isPriceAlone: true })
    return refusal && `${refusal.command} ${refusal.code}`
  }

  test('a price on the wrong side is refused, whatever is held on the side of the entry', () => {
    expect(byPrice('market(buy, 0.01); stop(sell, 100%p, 61000)', 'buy')).toBe('1 E507')
    expect(byPrice('market(sell, 0.01); stop(buy, 100%p, 59000)', 'sell')).toBe('1 E507')
    expect(byPrice('market(buy, 100$); stop(sell, 100%, 61000)', undefined, btcusdtSpot)).toBe('1 E507')
  })

  test('a refusal that depends on the account is not foreseen', () => {
    expect(byPrice('market(buy, 0.01); market(position=0); stop(sell, 100%p, 58000)', 'buy')).toBeUndefined()
    expect(byPrice('market(buy, 10%); stop(sell, 100%p, 61000)', 'buy')).toBeUndefined()
    expect(byPrice('market(buy, 0.01); limit(sell, 0.1%, 62000)', 'buy')).toBeUndefined()
  })

  test.each([
    ['stop(sell, 0.0001, 58000)', 'E501'],
    ['market(buy, 10$)', 'E501'],
    ['oco { stop(sell, 0.0001, 58000); limit(sell, 0.0001, 62000) }', 'E501'],
    ['limit(buy, 2000, 59000)', 'E503'],
    ['limit(buy, 0.001, 59000)', 'E504'],
  ])('a written size that the market does not take is refused: %s', (text, code) => {
    expect(byPrice(`market(buy, 0.01); ${text}`, 'buy')).toBe(`1 ${code}`)
  })

  test('a share of coins that are all for an order before it is refused', () => {
    const text = 'market(buy, 100$); limit(sell, 100%, 62000); stop(sell, 100%, 58000)'
    expect(byPrice(text, undefined, btcusdtSpot)).toBe('2 E501')
    expect(byPrice(text.replace('100%, 62', '90%, 62'), undefined, btcusdtSpot)).toBeUndefined()
  })

  test('a command that may be an exit runs', () => {
    const text = 'market(buy, 0.01); stop(sell, 100%p, 61000)'
    expect(byPrice(text, 'sell')).toBeUndefined()
    expect(byPrice(text, undefined)).toBeUndefined()
  })
})

test.each(places)(
  'a refusal is foreseen, and none of an exit, where the account holds %s',
  (_name, market, account) => {
    let refusals = 0
    fc.assert(
      fc.property(fc.array(anyCommand, { minLength: 2, maxLength: 4 }), (texts) => {
        const commands = readable(texts, market)
        if (commands === undefined) return
        const refusal = foreseeRefusal(commands, { market, accounts: [account] })
        if (refusal === undefined) return
        refusals++
        expect(isExitMessage([{ commands, market: market.kind }])).toBe(false)
        const scene = { market, reading: account, open: [], limits: active, findings: [] }
        const planned = planCommands(commands.slice(0, refusal.command + 1), scene)
        // There, or before where the money is not there; the reason may depend on what was filled.
        expect(planned.commands.map(({ outcome }) => outcome)).toContain('refused')
      }),
      { numRuns: 2000 },
    )
    // The property would hold where nothing is refused.
    expect(refusals).toBeGreaterThan(0)
  },
)

test('an order that may fill at once or wait is refused where neither ends well', () => {
  const crossing = 'limit(buy, 10%, 60100); stop(sell, 50%, 58000)'
  // Filled, the stop stands, and the order behind it is too large; unfilled, there is nothing to protect.
  expect(foreseen(`${crossing}; market(buy, 800000)`)).toBe('2 E503')
  expect(foreseen(`${crossing}; market(buy, 0.01)`)).toBeUndefined()
})

test('an empty book foresees nothing', () => {
  expect(
    foreseen('market(buy, 100$); stop(sell, 100%, 61000)', { ...spotHoldings, ask: '0' }, btcusdtSpot),
  ).toBeUndefined()
  expect(foreseen('market(buy, 0.01); stop(sell, 100%p, 61000)', { ...flat, bid: '0' })).toBeUndefined()
})

test('a block is worth a look where an entry stands before another order', () => {
  const isWorth = (text: string) => mayBeForeseen(commandsOf(text), btcusdt)
  expect(isWorth('market(buy, 0.01); stop(sell, 100%p, 61000)')).toBe(true)
  expect(isWorth('market(buy, 0.01)')).toBe(false)
  expect(isWorth('market(position=0); stop(sell, 100%p, 61000, reduceOnly=true)')).toBe(false)
  expect(isWorth('market(position=0); market(buy, 0.01)')).toBe(false)
  expect(isWorth('market(buy, 0.01); balance')).toBe(false)
  expect(isWorth('market(buy, 0.01); wait(1s); stop(sell, 100%p, 61000)')).toBe(false)
})
