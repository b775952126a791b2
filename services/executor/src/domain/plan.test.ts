import { describe, expect, test } from '@jest/globals'
import { accountReading, btcusdt, commandsOf } from '../../test/btcusdt.ts'
import type { AccountReading } from './account.ts'
import type { BotLimits } from './permit.ts'
import { planCommands } from './plan.ts'

const active: BotLimits = { tradingState: 'active', maxEntryAgeMs: 60_000 }
const flat: Partial<AccountReading> = { position: '0', entryPrice: null }

function plan(text: string, differing: Partial<AccountReading> = {}, limits = active): string[] {
  const scene = { market: btcusdt, reading: accountReading(differing), limits, findings: [] }
  return planCommands(commandsOf(text), scene).map(({ command, outcome, orders, note, error_code }) => {
    const sizes = orders.map(
      ({ side, quantity, reduce_only }) => `${side} ${quantity}${reduce_only ? ' ro' : ''}`,
    )
    return [command, outcome, ...sizes, note, error_code].filter((part) => part !== null).join(' ')
  })
}

describe('a plan', () => {
  test('resolves each command against what those before it would leave', () => {
    expect(
      plan('market(buy, 100%); oco { stop(sell, 100%, 58000); limit(sell, 100%, 62000) }', flat),
    ).toEqual(['market orders buy 0.166', 'oneCancelsOther orders sell 0.166 ro sell 0.166 ro'])
  })

  test('knows the entry price that a market order would leave', () => {
    const plans = (text: string, differing = {}) => plan(text, differing).at(-1)
    expect(plans('market(buy, 0.1); limit(sell, 100%p, e3%)')).toBe('limit orders sell 0.200 ro')
    expect(plans('market(buy, 0.1); limit(sell, 100%p, e1%)', flat)).toBe('limit orders sell 0.100 ro')
    expect(plans('market(sell, 0.1); limit(sell, 0.1, e1%)')).toBe('limit refused E512')
  })

  test('skips what stands behind a refusal', () => {
    expect(plan('market(buy, 50$); cancel; market(buy, 0.01)')).toEqual([
      'market refused E501',
      'cancel skipped',
      'market skipped',
    ])
  })

  test('tells what is done without an order, and what is nothing', () => {
    expect(plan('cancel(stop); wait(1500ms); balance; market(position=0.1)')).toEqual([
      'cancel acts cancels open orders (stop) of BTCUSDT',
      'wait acts waits 1.5 s',
      'balance acts tells the balance',
      'market nothing the position is 0.100 BTC already',
    ])
  })

  test('lets exits pass where the bot only reduces, and nothing where it is halted', () => {
    const reducing: BotLimits = { ...active, tradingState: 'reducing' }
    expect(plan('market(sell, 50%); market(buy, 0.01)', {}, reducing)).toEqual([
      'market orders sell 0.050 ro',
      'market refused E516',
    ])
    expect(plan('market(position=0)', {}, { ...active, tradingState: 'halted' })).toEqual([
      'market refused E516',
    ])
  })

  test('refuses what the check found, at its command', () => {
    const scene = {
      market: btcusdt,
      reading: accountReading(),
      limits: active,
      findings: [{ code: 'E404', message: 'not here', command: 1 } as const],
    }
    const commands = commandsOf('market(buy, 0.01); limit(buy, 0.01, 59000)')
    expect(planCommands(commands, scene).map(({ outcome }) => outcome)).toEqual(['orders', 'refused'])
  })
})
