import { describe, expect, test } from '@jest/globals'
import type { CommandResult } from '@tripline/proto/command-result'
import { accountReading } from '../../../test/btcusdt.ts'
import {
  active,
  done,
  found,
  id,
  placed,
  reading,
  results,
  run,
  start,
  unknown,
  unreachable,
} from '../../../test/scripted-run.ts'
import type { Reading } from '../account/account.ts'
import type { BotLimits } from '../account/permit.ts'
import type { Decision } from '../order/attempt.ts'
import type { OrderPlan, Placement } from '../order/order.ts'
import { overtakenAlarm } from './aftermath.ts'
import { longUnanswered, mayStillPlace, next, observe, overtaken, seeksEvidence } from './execution.ts'
import type { Execution } from './state.ts'

const noReading = { outcome: 'unreachable', cause: 'no answer' } as const

describe('a live command', () => {
  test('of base coin is placed at once', () => {
    expect(run(start('market(buy, 0.01)')).steps).toEqual(['0 place buy 0.010', '0 settle success'])
  })

  test('that hangs on the account reads it first', () => {
    expect(run(start('market(sell, 100%)')).steps).toEqual([
      '0 read',
      '0 place sell 0.100 reduce-only',
      '0 settle success',
    ])
  })

  test('reports the order and its result', () => {
    const { execution } = run(start('market(buy, 0.0109)'), { placements: [done()] })
    expect(execution.outcomes).toEqual([
      {
        command: 'market',
        status: 'success',
        errorCode: null,
        error: null,
        executionTimeMs: 0,
        result: {
          id: '77',
          client_order_id: id('00'),
          symbol: 'BTCUSDT',
          side: 'buy',
          type: 'market',
          amount: '0.01',
          price: '60000.1',
          average_price: '60000.1',
          limit_price: null,
          triggerPrice: null,
          filled: '0.010',
          fee: null,
          status: 'filled',
          reduce_only: false,
          sizing: '0.0109 BTC',
          warnings: [{ code: 'W704', text: '0.0109 was rounded to 0.010, by more than 1%' }],
        },
      },
    ])
  })

  test('that has nothing to do is a success and places nothing', () => {
    const ran = run(start('market(position=0.1)'))
    expect(ran.steps).toEqual(['0 read', '0 settle success'])
    expect(results(ran)).toEqual([{ code: 'N802', note: 'the position is 0.100 BTC already' }])
  })

  test.each([
    ['rounds to nothing', 'market(buy, 0.0001)', 'E501'],
    ['is too large', 'market(buy, 1001)', 'E503'],
    ['names another coin', 'market(buy, 1 ETH)', 'E303'],
  ])('that %s is denied', (_name, text, code) => {
    expect(run(start(text)).steps.at(-1)).toBe(`0 settle failed ${code}`)
  })

  test.each([
    ['market(buy, 10%)', 'buy 0.016'],
    ['market(position=0)', 'sell 0.100 reduce-only'],
  ])('%s reads the account once more where one answer was lost', (text, order) => {
    const ran = run(start(text), { readings: [noReading] })
    expect(ran.steps).toEqual(['0 read', '250 read', `250 place ${order}`, '250 settle success'])
  })

  test.each([
    ['an entry', 'market(buy, 10%)', active, 5750],
    ['an entry that would be too old soon', 'market(buy, 10%)', { ...active, maxEntryAgeMs: 1000 }, 1750],
    ['an exit', 'market(position=0)', active, 603_750],
    ['an exit by a share of the position', 'market(sell, 100%p)', active, 603_750],
  ])('%s whose account cannot be read at all fails and places nothing', (_name, text, limits, at) => {
    const readings = Array.from({ length: 200 }, () => noReading)
    const ran = run(start(text), { readings, limits, until: 700_000 })
    expect(ran.steps.filter((step) => !step.endsWith(' read'))).toEqual([`${at} settle failed E601`])
  })

  test('is asked again for where the exchange was asked too often, and fails with that at last', () => {
    const refused = { outcome: 'refused', code: 'E603', error: 'too many requests' } as const
    expect(run(start('market(position=0)'), { readings: [refused] }).steps.at(-1)).toBe('250 settle success')
    const readings = Array.from({ length: 100 }, () => refused)
    expect(run(start('market(buy, 10%)'), { readings }).steps.at(-1)).toBe('5750 settle failed E603')
  })

  test('with an account that the exchange refuses to show fails with its reason', () => {
    const refused = { outcome: 'refused', code: 'E406', error: 'The exchange refused: key' } as const
    expect(run(start('market(buy, 10%)'), { readings: [refused] }).steps.at(-1)).toBe('0 settle failed E406')
  })

  test('that the exchange refuses fails, and the commands behind it are skipped', () => {
    const refused = { outcome: 'refused', code: 'E506', error: 'The exchange refused: margin' } as const
    const ran = run(start('market(buy, 0.01); balance; market(sell, 0.01)'), { placements: [refused] })
    expect(ran.steps).toEqual([
      '0 place buy 0.010',
      '0 settle failed E506',
      '0 settle skipped',
      '0 settle skipped',
    ])
  })

  test('is tried again while the lease is over, and counts as not sent', () => {
    const withheld: Placement = { outcome: 'withheld' }
    expect(run(start('market(buy, 0.01)'), { placements: [withheld, withheld] }).steps).toEqual([
      '0 place buy 0.010',
      '200 place buy 0.010',
      '400 place buy 0.010',
      '400 settle success',
    ])
  })

  test('that was withheld is sized by what the account holds when it is sent', () => {
    const ran = run(start('market(sell, 100%p)'), { placements: [{ outcome: 'withheld' }] })
    expect(ran.steps.map((step) => step.split(' ').slice(0, 2).join(' '))).toEqual([
      '0 read',
      '0 place',
      '200 read',
      '200 place',
      '200 settle',
    ])
  })

  describe('that only exits', () => {
    const tooOften: Placement = {
      outcome: 'refused',
      code: 'E603',
      error: 'Not sent: it wants to be left alone',
    }
    const orderless = (steps: readonly string[]): string[] => steps.filter((step) => !step.endsWith(' read'))

    test('is sent again while the exchange takes no orders, by the position at that time', () => {
      const { steps } = run(start('market(position=0)'), { placements: [tooOften, tooOften] })
      expect(orderless(steps).map((step) => step.slice(0, 10))).toEqual([
        '0 place se',
        '1000 place',
        '2000 place',
        '2000 settl',
      ])
      expect(steps.filter((step) => step.endsWith(' read'))).toHaveLength(3)
    })

    test.each([
      [0, 0],
      [30_000, 40_000],
      [600_000, 610_000],
    ])('of a bot with %i ms is given up after that, by %i ms', (exitRetryMs, latest) => {
      const limits = { ...active, exitRetryMs }
      const placements = Array.from({ length: 1000 }, () => tooOften)
      const { steps, at } = run(start('market(position=0)'), { placements, limits, until: 700_000 })
      expect(steps.at(-1)).toMatch(/settle failed E603/)
      expect([at >= exitRetryMs, at <= latest]).toEqual([true, true])
    })

    test.each([
      [0, 5000],
      [30_000, 30_000],
      [600_000, 600_000],
    ])(
      'and whose account cannot be read, by a bot with %i ms, is tried for %i ms',
      (exitRetryMs, triedMs) => {
        const limits = { ...active, exitRetryMs }
        const readings = Array.from({ length: 1000 }, () => noReading)
        const { steps, at } = run(start('market(position=0)'), { readings, limits, until: 700_000 })
        expect(steps.at(-1)).toMatch(/settle failed E601/)
        expect([at >= triedMs, at < triedMs + 5000]).toEqual([true, true])
      },
    )

    test('and never arrives is sent as long as an entry, or as long as its bot has it', () => {
      const triedMs = (command: string, exitRetryMs: number): number => {
        const placements = Array.from({ length: 1000 }, () => unknown)
        const answers = {
          placements,
          lookUps: Array.from({ length: 9000 }, () => ({ outcome: 'absent' }) as const),
        }
        const { steps, at } = run(start(command), {
          ...answers,
          limits: { ...active, maxEntryAgeMs: 3_600_000, exitRetryMs },
          until: 700_000,
        })
        expect(steps.at(-1)).toMatch(/settle failed E601/)
        return at
      }
      const entryMs = triedMs('market(buy, 0.01)', 300_000)
      expect(triedMs('market(position=0)', 0)).toBe(entryMs)
      for (const exit of ['market(position=0)', 'market(sell, 50%)']) {
        const exitMs = triedMs(exit, 300_000)
        expect([exitMs >= 300_000, exitMs < 310_000]).toEqual([true, true])
      }
    })

    test('ends where its bot is halted meanwhile', () => {
      const readings = Array.from({ length: 20 }, () => noReading)
      const { execution } = run(start('market(position=0)'), { readings, until: 20_000 })
      expect(longUnanswered(execution, 20_000)).toContain('could not be asked')
      const halted = { ...active, tradingState: 'halted' } as const
      expect(next(execution, halted, 30_000)).toMatchObject({ do: 'settle', outcome: { errorCode: 'E516' } })
    })
  })

  test('that opens something is refused at once where the exchange takes no orders', () => {
    const tooOften: Placement = {
      outcome: 'refused',
      code: 'E603',
      error: 'Not sent: it wants to be left alone',
    }
    expect(run(start('market(buy, 0.01)'), { placements: [tooOften] }).steps.at(-1)).toBe(
      '0 settle failed E603',
    )
  })

  test('gives each order of the block its own name', () => {
    const names: string[] = []
    const placements = Array.from({ length: 3 }, () => (plan: OrderPlan) => {
      names.push(plan.clientOrderId)
      return done()
    })
    run(start('market(buy, 0.01); market(buy, 0.01, tag=exit1); balance; market(sell, 0.01)'), { placements })
    expect(names).toEqual([id('00'), expect.stringMatching(`^${id('01')}[0-9A-V]{4}$`), id('03')])
  })

  test('that a fault of ours meets is failed and not run again', () => {
    const execution = observe(start('market(buy, 0.01); balance'), { of: 'fault' }, 5)
    expect(run(execution, {}, 5).steps).toEqual(['5 settle failed E605', '5 settle skipped'])
  })
})

describe('an order that is not ended yet', () => {
  const open = { status: 'open', filled: '0', averagePrice: null } as const

  test('is asked for until it is', () => {
    const ran = run(start('market(buy, 0.01)'), {
      placements: [done(open)],
      lookUps: [found({ ...open, status: 'partially_filled', filled: '0.004' }), found()],
    })
    expect(ran.steps).toEqual(['0 place buy 0.010', '200 lookUp', '400 lookUp', '400 settle success'])
  })

  test('is never placed again, however long the exchange denies it', () => {
    const ran = run(start('market(buy, 0.01)'), { placements: [done(open)] })
    expect(ran.steps.filter((step) => step.includes('place'))).toEqual(['0 place buy 0.010'])
    expect(ran.steps.at(-1)).toBe('60000 settle failed E602')
    expect(results(ran)).toMatchObject([{ id: '77', status: 'open', filled: '0' }])
  })

  test('is asked for at a distance while the exchange cannot be reached, and given up in the end', () => {
    const lookUps = Array.from({ length: 1000 }, () => unreachable)
    const ran = run(start('market(buy, 0.01)'), { placements: [done(open)], lookUps })
    expect(ran.steps.slice(0, 4)).toEqual(['0 place buy 0.010', '200 lookUp', '400 lookUp', '600 lookUp'])
    expect(ran.steps.at(-1)).toBe('60000 settle failed E602')
  })

  test.each([
    ['expired', '0', 'failed', 'E601'],
    ['canceled', '0', 'failed', 'E601'],
    ['rejected', '0', 'failed', 'E601'],
    ['expired', '0.004', 'success', null],
    ['canceled', '0.004', 'success', null],
  ] as const)('that ends as %s with %s filled is a %s', (status, filled, expected, errorCode) => {
    const ran = run(start('market(buy, 0.01)'), { placements: [done({ status, filled })] })
    expect(ran.execution.outcomes).toMatchObject([{ status: expected, errorCode, result: { filled } }])
  })
})

describe('an order whose answer is lost', () => {
  test('is found and not sent again', () => {
    const ran = run(start('market(buy, 0.01)'), { placements: [unknown], lookUps: [found()] })
    expect(ran.steps).toEqual(['0 place buy 0.010', '0 lookUp', '0 settle success'])
    expect(results(ran)).toMatchObject([{ sizing: '0.01 BTC' }])
  })

  test('is found by a later look-up where reads lag', () => {
    const ran = run(start('market(buy, 0.01)'), {
      placements: [unknown],
      lookUps: [{ outcome: 'absent' }, { outcome: 'absent' }, { outcome: 'absent' }, found()],
    })
    expect(ran.steps.filter((step) => step.includes('place'))).toHaveLength(1)
    expect(ran.steps.at(-1)).toBe('2000 settle success')
  })

  test('is sent again for a minute at most, even where nothing limits its age', () => {
    const limits: BotLimits = { ...active, maxEntryAgeMs: 3_600_000 }
    const placements = Array.from({ length: 100 }, () => unknown)
    const { steps, at } = run(start('market(buy, 0.01)'), { placements, limits })
    expect(steps.filter((step) => step.includes('place'))).toHaveLength(15)
    expect([steps.at(-1), at]).toEqual(['60000 settle failed E601', 60_000])
  })

  test('is sent again once it can no longer arrive', () => {
    expect(run(start('market(buy, 0.01)'), { placements: [unknown, done()] }).steps).toEqual([
      '0 place buy 0.010',
      '0 lookUp',
      '150 lookUp',
      '1000 lookUp',
      '2000 lookUp',
      '3000 lookUp',
      '4000 lookUp',
      '4000 place buy 0.010',
      '4000 settle success',
    ])
  })

  test('is sized anew when it is sent again', () => {
    const later: Reading = { outcome: 'read', account: accountReading({ position: '0.050' }) }
    const ran = run(start('market(sell, 100%)'), { placements: [unknown], readings: [reading, later] })
    expect(ran.steps.filter((step) => step.includes('place'))).toEqual([
      '0 place sell 0.100 reduce-only',
      '4000 place sell 0.050 reduce-only',
    ])
  })

  test('is not sent again when it is too old by then', () => {
    const ran = run(start('market(buy, 0.01)'), { placements: [unknown] }, 58_000)
    expect(ran.steps.slice(-2)).toEqual(['62000 read', '62000 settle failed E515'])
  })

  test('is given up after a minute in which the exchange could not be asked', () => {
    const lookUps = Array.from({ length: 1000 }, () => unreachable)
    const ran = run(start('market(buy, 0.01); balance'), { placements: [unknown], lookUps })
    expect(ran.steps.slice(-2)).toEqual(['60000 settle failed E602', '60000 settle skipped'])
  })
})

describe('a command that an earlier owner may have run', () => {
  const recovered = { notAbsentBefore: 3000 }

  test('is looked up before anything else, and adopted as it is', () => {
    const order = found({ quantity: '0.020', filled: '0.005', status: 'expired' })
    const ran = run(start('market(buy, 0.01)', recovered), { lookUps: [order] })
    expect(ran.steps).toEqual(['0 lookUp', '0 settle success'])
    expect(results(ran)).toMatchObject([
      { amount: '0.02', filled: '0.005', sizing: 'found at the exchange after an interruption' },
    ])
  })

  test('is not too old when it is found', () => {
    const old = start('market(buy, 0.01)', { ...recovered, dueAt: -600_000 })
    expect(run(old, { lookUps: [found()] }).steps).toEqual(['0 lookUp', '0 settle success'])
  })

  test('runs once it is proven absent, and everything behind it without asking', () => {
    expect(run(start('market(buy, 0.01); market(buy, 0.02)', recovered)).steps).toEqual([
      '0 lookUp',
      '1000 lookUp',
      '3000 lookUp',
      '3000 place buy 0.010',
      '3000 settle success',
      '3000 place buy 0.020',
      '3000 settle success',
    ])
  })

  test('is looked up too where the one before it was found', () => {
    const ran = run(start('market(buy, 0.01); balance; market(buy, 0.02)', recovered), {
      lookUps: [found(), found({ clientOrderId: id('02'), quantity: '0.020' })],
    })
    expect(ran.steps).toEqual([
      '0 lookUp',
      '0 settle success',
      '0 read',
      '0 settle success',
      '0 lookUp',
      '0 settle success',
    ])
  })

  test('is reported as unknown, not as skipped, behind one that was given up', () => {
    const lookUps = Array.from({ length: 1000 }, () => unreachable)
    const ran = run(start('market(buy, 0.01); balance; market(buy, 0.02)', recovered), { lookUps })
    expect(ran.execution.outcomes.map(({ status, errorCode }) => [status, errorCode])).toEqual([
      ['failed', 'E602'],
      ['skipped', null],
      ['failed', 'E602'],
    ])
  })

  const success: CommandResult = {
    command: 'market',
    status: 'success',
    result: { code: 'N802', note: 'BTCUSDT is flat' },
    errorCode: null,
    error: null,
    executionTimeMs: 1,
  }
  const failure: CommandResult = { ...success, status: 'failed', result: null, errorCode: 'E506', error: 'x' }

  test('is not run again where its outcome was stored', () => {
    const execution = start('market(position=0); market(buy, 0.01)', { ...recovered, outcomes: [success] })
    const ran = run(execution, { lookUps: [found({ clientOrderId: id('01') })] })
    expect(ran.steps).toEqual(['0 lookUp', '0 settle success'])
    expect(ran.execution.outcomes[0]).toBe(success)
  })

  test('is skipped behind a failure that was stored', () => {
    const execution = start('market(buy, 0.01); market(buy, 0.02)', { ...recovered, outcomes: [failure] })
    expect(run(execution).steps).toEqual(['0 settle skipped'])
  })

  test('ends at once where every outcome was stored', () => {
    expect(run(start('market(buy, 0.01)', { ...recovered, outcomes: [failure] })).steps).toEqual([])
  })
})

describe('an alert that comes late', () => {
  const late = 60_001

  test.each([
    ['an entry is not placed', 'market(buy, 0.01)', ['60001 read', '60001 settle failed E515']],
    ['an entry by percent is not placed', 'market(buy, 10%)', ['60001 read', '60001 settle failed E515']],
    ['a flip is not placed', 'market(sell, 0.101)', ['60001 read', '60001 settle failed E515']],
    [
      'an exit is placed',
      'market(sell, 0.1)',
      ['60001 read', '60001 place sell 0.100', '60001 settle success'],
    ],
    [
      'a reduce-only order is placed without a look',
      'market(sell, 0.1, reduceOnly=yes)',
      ['60001 place sell 0.100 reduce-only', '60001 settle success'],
    ],
    [
      'a close is placed',
      'market(position=0)',
      ['60001 read', '60001 place sell 0.100 reduce-only', '60001 settle success'],
    ],
  ])('%s', (_name, text, steps) => {
    expect(run(start(text), {}, late).steps).toEqual(steps)
  })

  test('is not late at its last moment', () => {
    expect(run(start('market(buy, 0.01)'), {}, 60_000).steps.at(-1)).toBe('60000 settle success')
  })
})

describe('an execution that an exit overtook', () => {
  const limits = { ...active, isOvertaken: true }

  test.each([
    ['opens nothing', 'market(buy, 0.01)', ['0 settle failed E519']],
    ['rests nothing that may open', 'limit(buy, 0.01, 59000)', ['0 read', '0 settle failed E519']],
    [
      'sends no group that may open',
      'oco { stop(buy, 0.1, 61000); limit(buy, 0.1, 59000) }',
      ['0 read', '0 settle failed E519'],
    ],
    [
      'cancels, and opens nothing behind',
      'cancel; market(buy, 0.01)',
      ['0 list', '0 endWatches', '0 settle success', '0 settle failed E519'],
    ],
    ['closes', 'market(position=0)', ['0 read', '0 place sell 0.100 reduce-only', '0 settle success']],
  ])('%s', (_name, text, steps) => {
    expect(run(start(text), { limits }).steps).toEqual(steps)
  })

  test('does not send an order again that is proven never to have arrived', () => {
    const { steps } = run(start('market(buy, 0.01)'), {
      placements: [unknown],
      limits: (now) => (now === 0 ? active : limits),
    })
    expect(steps.filter((step) => step.includes('place'))).toHaveLength(1)
    expect(steps.at(-1)).toMatch(/settle failed E519/)
  })

  test('takes an order that did arrive as it is', () => {
    const { steps } = run(start('market(buy, 0.01)'), {
      placements: [unknown],
      lookUps: [found()],
      limits: (now) => (now === 0 ? active : limits),
    })
    expect(steps.at(-1)).toMatch(/settle success/)
  })

  test('of which nothing was sent ends as a whole', () => {
    const { execution } = run(overtaken(start('cancel; market(buy, 0.01)')), { limits })
    expect(execution.outcomes.map(({ status, errorCode }) => [status, errorCode])).toEqual([
      ['failed', 'E519'],
      ['skipped', null],
    ])
  })

  test('reports an entry that turns out to be filled', () => {
    const [outcome] = run(start('market(buy, 0.01)')).execution.outcomes
    if (outcome === undefined) throw new Error('it did not end')
    expect(overtakenAlarm(outcome, true)).toMatch(/look whether it left a position/)
    expect(overtakenAlarm(outcome, false)).toBeUndefined()
  })
})

describe('a bot', () => {
  const reducing: BotLimits = { ...active, tradingState: 'reducing' }
  const halted: BotLimits = { ...active, tradingState: 'halted' }
  const limited: BotLimits = { ...active, maxOrderValue: '1000' }

  test.each([
    ['reducing, places no entry', reducing, 'market(buy, 0.01)', '0 settle failed E516'],
    ['reducing, does not flip', reducing, 'market(position=-0.1)', '0 settle failed E516'],
    ['reducing, places an exit', reducing, 'market(sell, 0.1)', '0 settle success'],
    ['reducing, closes', reducing, 'market(position=0)', '0 settle success'],
    ['halted, places no entry', halted, 'market(buy, 0.01)', '0 settle failed E516'],
    ['halted, places no exit', halted, 'market(position=0)', '0 settle failed E516'],
    ['halted, shows its balance', halted, 'balance', '0 settle success'],
    ['limited, places what is worth less', limited, 'market(buy, 0.016)', '0 settle success'],
    ['limited, places nothing that is worth more', limited, 'market(buy, 0.017)', '0 settle failed E517'],
    ['limited, values a limit at its price', limited, 'limit(buy, 0.017, 58000)', '0 settle success'],
    ['limited, places no flip that is worth more', limited, 'market(sell, 0.101)', '0 settle failed E517'],
    ['limited, closes whatever it is worth', limited, 'market(position=0)', '0 settle success'],
  ])('that is %s', (_name, limits, text, last) => {
    expect(run(start(text), { limits }).steps.at(-1)).toBe(last)
  })

  test('that is halted adopts the orders placed before', () => {
    const ran = run(start('market(buy, 0.01)', { notAbsentBefore: 0 }), {
      limits: halted,
      lookUps: [found()],
    })
    expect(ran.steps.at(-1)).toBe('0 settle success')
  })
})

describe('the balance', () => {
  test('is read and shown', () => {
    const ran = run(start('balance'))
    expect(ran.steps).toEqual(['0 read', '0 settle success'])
    expect(results(ran)).toEqual([
      {
        balance: { coin: 'USDT', total: '9900', free: '8000' },
        equity: '10000',
        available: '8000',
        position: { side: 'long', quantity: '0.1', entry_price: '59000' },
        unrealized_pnl: '100',
      },
    ])
  })

  test.each([
    ['0', { side: 'flat', quantity: '0' }],
    ['-0.25', { side: 'short', quantity: '0.25' }],
  ])('of a position of %s', (position, expected) => {
    const account = accountReading({ position, entryPrice: null })
    const ran = run(start('balance'), { readings: [{ outcome: 'read', account }] })
    expect(results(ran)).toMatchObject([{ position: { ...expected, entry_price: null } }])
  })

  test('of a coin that the account does not hold fails', () => {
    expect(run(start('balance(btc)')).steps.at(-1)).toBe('0 settle failed E303')
  })
})

describe('evidence of the work of an earlier owner', () => {
  const recovered = start('market(buy, 0.01)', { notAbsentBefore: 3000 })
  const ref = { symbol: 'BTCUSDT', clientOrderId: id('00'), isConditional: false }
  const adopted = observe(recovered, { of: 'lookUp', ref, lookUp: found(), askedAt: 0 }, 0)
  const almost = run(recovered, { until: 2999 }).execution
  const absent = { outcome: 'absent' } as const
  const proven = observe(almost, { of: 'lookUp', ref, lookUp: absent, askedAt: 3000 }, 3001)

  test.each<[string, Execution, boolean]>([
    ['a look-up', recovered, true],
    ['reporting what was found', adopted, true],
    ['placing', start('market(buy, 0.01)'), false],
    ['reading', start('market(position=0)'), false],
    ['reading in a run that was recovered', start('balance', { notAbsentBefore: 3000 }), false],
  ])('%s is part of it: %#', (_name, execution, expected) => {
    expect(seeksEvidence(execution, next(execution, active, 0))).toBe(expected)
  })

  test('ends where the order is proven absent', () => {
    const last = next(proven, active, 3001)
    expect([last.do, seeksEvidence(proven, last)]).toEqual(['place', false])
  })
})

test('a symbol without a price fails its command', () => {
  const account = accountReading({ ask: '0' })
  const ran = run(start('market(buy, 100$)'), { readings: [{ outcome: 'read', account }] })
  expect(ran.steps).toEqual(['0 read', '0 settle failed E514'])
})

describe('an order that waits for its turn', () => {
  const limits = { ...active, maxEntryAgeMs: 1000 }
  const decided = (text: string): readonly [Execution, Decision] => {
    const { execution } = run(start(text), { until: -1 })
    const step = next(execution, active, 0)
    const looked =
      step.do === 'read' ? observe(execution, { of: 'read', reading, isUrgent: true }, 0) : execution
    const placing = next(looked, active, 0)
    if (placing.do !== 'place') throw new Error(`what is next is ${placing.do}`)
    return [looked, placing.decision]
  }

  test.each([
    ['an entry in time', 'market(buy, 0.01)', limits, 1000, true],
    ['an entry that is too old by now', 'market(buy, 0.01)', limits, 1001, false],
    [
      'an entry of a bot that was paused',
      'market(buy, 0.01)',
      { ...limits, tradingState: 'reducing' },
      0,
      false,
    ],
    ['an exit that is late', 'market(position=0)', limits, 60_000, true],
    [
      'an exit of a bot that was halted',
      'market(position=0)',
      { ...limits, tradingState: 'halted' },
      0,
      false,
    ],
  ] as const)('is judged once more: %s', (_name, text, now, at, isPlaced) => {
    const [execution, decision] = decided(text)
    expect(mayStillPlace(execution, decision, now, at)).toBe(isPlaced)
  })

  test('is sent where the group that it completes was begun', () => {
    const { execution, steps } = run(start('oco { limit(sell, 1, 62000); stop(sell, 1, 58000) }'), {
      placements: [placed, () => ({ outcome: 'withheld' })],
      until: 0,
    })
    expect(steps.at(-1)).toContain('place limit')
    const decision = execution.current.orders?.[1]?.decision
    expect(decision && mayStillPlace(execution, decision, { ...limits, tradingState: 'halted' }, 9000)).toBe(
      true,
    )
  })
})
