import { describe, expect, test } from '@jest/globals'
import type { Command } from '@tripline/proto/alert-tree'
import { isExitMessage } from '@tripline/proto/exit'
import fc from 'fast-check'
import { anyCommand, onlyShrinks, places, readable, spot } from '../../../test/any-commands.ts'
import { btcusdt, commandsOf } from '../../../test/btcusdt.ts'
import { begun, runIn } from '../../../test/scripted-run.ts'
import type { AccountReading } from '../account/account.ts'
import type { Market } from '../order/market.ts'
import { checkBlock } from './check.ts'

const isExit = (commands: readonly Command[], { kind }: Market): boolean =>
  isExitMessage([{ commands, market: kind }])

const plainExit = fc.constantFrom('market(position=0)', 'limit(position=0, 61000)', 'cancel', 'wait(5)')

/** The orders that an alert of the owner sends where the account holds this, and the settings that it changes. */
function done(commands: readonly Command[], market: Market, account: AccountReading) {
  if (checkBlock(commands, { symbol: market.symbol, market, meant: undefined }).length > 0)
    return { orders: [], changes: [] }
  const { orders, steps } = runIn(account, begun(commands, market))
  return { orders, changes: steps.filter((step) => step.includes('change') || step.includes('place both')) }
}

describe('a message that counts as an exit', () => {
  test.each(places)(
    'sends nothing that could open or add where the account holds %s',
    (_name, market, account) => {
      let orders = 0
      fc.assert(
        fc.property(fc.array(fc.oneof(anyCommand, plainExit), { minLength: 1, maxLength: 3 }), (texts) => {
          const commands = readable(texts, market)
          if (commands === undefined || !isExit(commands, market)) return
          const sent = done(commands, market, account)
          orders += sent.orders.length
          expect(sent.orders.filter((plan) => !onlyShrinks(plan, market))).toEqual([])
          expect(sent.changes).toEqual([])
        }),
        { numRuns: 2000 },
      )
      // The property would hold of messages that do nothing at all.
      if (account.position !== '0' || account.hedged !== undefined) expect(orders).toBeGreaterThan(20)
    },
  )

  test.each([
    'market(position=0); wait(5); cancel',
    'wait(60); market(position=0)',
    'stop(sell, 100%p, 58000, reduceOnly=true)',
    'oco { stop(sell, 0.1, 58000, reduceOnly=true); limit(sell, 0.1, 62000, reduceOnly=true) }',
    'sltp(amount=100%p, sl=58000, tp=62000)',
    'cancel; oco { stop(sell, 0.1, 58000, reduceOnly=true); limit(sell, 0.1, 62000, reduceOnly=true) }; balance',
  ])('may be %s', (text) => {
    expect(isExit(commandsOf(text), btcusdt)).toBe(true)
  })

  test.each([
    'balance',
    'wait(5)',
    'wait(5); balance',
    'wait(61); market(position=0)',
    'wait(31); cancel; wait(30)',
    'market(position=0); wait(5); market(buy, 0.01)',
    'oco { stop(sell, 0.1, 58000); limit(sell, 0.1, 62000) }',
    'oco { stop(sell, 0.1, 58000, reduceOnly=true); limit(sell, 0.1, 62000) }',
    'settings(leverage=50); market(position=0)',
    'market(buy, 0.01, reduceOnly=true, positionSide=long)',
    'stop(sell, 0.01, 58000, reduceOnly=true, positionSide=short)',
    'sltp(buy, 0.01, sl=61000, positionSide=long)',
  ])('is not %s', (text) => {
    expect(isExit(commandsOf(text), btcusdt)).toBe(false)
  })

  test('is none on spot with a group, which cannot be limited to reducing there', () => {
    expect(isExit(commandsOf('oco { stop(sell, 0.1, 58000); limit(sell, 0.1, 62000) }', 'spot'), spot)).toBe(
      false,
    )
    expect(isExit(commandsOf('sltp(amount=100%, sl=58000, tp=62000)', 'spot'), spot)).toBe(false)
  })
})
