import { describe, expect, test } from '@jest/globals'
import { subtract } from '@tripline/proto/decimal'
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
import type { LastEntry } from '../account/last-entry.ts'
import type { BotLimits } from '../account/permit.ts'
import type { Market } from '../order/market.ts'
import type { VenueOrder } from '../order/order.ts'
import { planBlocks, planCommands } from './plan.ts'

const active: BotLimits = { tradingState: 'active', maxEntryAgeMs: 60_000, exitRetryMs: 600_000 }

interface Differing extends Partial<AccountReading> {
  limits?: BotLimits
  market?: Market
  open?: readonly VenueOrder[] | undefined
}

function plan(text: string, { limits = active, market = btcusdt, open = [], ...differing }: Differing = {}) {
  const commands = commandsOf(text, market.kind === 'spot' ? 'spot' : 'futures')
  return planCommands(commands, { market, reading: accountReading(differing), open, limits, findings: [] })
    .commands
}

function onlyOf<T>([one]: readonly T[]): T {
  if (one === undefined) throw new Error('there is none')
  return one
}

/** Each command in one line. */
function brief(text: string, differing: Differing = {}): string[] {
  return plan(text, differing).map(({ command, outcome, orders, note, error_code }) => {
    const sizes = orders.map(({ side, quantity, quote_quantity, reduce_only }) => {
      const size = quote_quantity === undefined ? quantity : `${subtract(quote_quantity, '0')}$`
      return `${side} ${size}${reduce_only ? ' ro' : ''}`
    })
    return [command, outcome, ...sizes, note, error_code].filter((part) => part !== null).join(' ')
  })
}

describe('a plan', () => {
  test('resolves each command against the account that those before it would leave', () => {
    expect(
      brief('market(buy, 100%); oco { stop(sell, 100%, 58000); limit(sell, 100%, 62000) }', flat),
    ).toEqual(['market orders buy 0.166', 'oneCancelsOther orders sell 0.166 ro sell 0.166 ro'])
  })

  test('knows the entry price that a market order would leave', () => {
    const plans = (text: string, differing = {}) => brief(text, differing).at(-1)
    expect(plans('market(buy, 0.1); limit(sell, 100%p, e3%)')).toBe('limit orders sell 0.200 ro')
    expect(plans('market(buy, 0.1); limit(sell, 100%p, e1%)', flat)).toBe('limit orders sell 0.100 ro')
    expect(plans('market(sell, 0.1); limit(sell, 0.1, e1%)')).toBe('limit refused E512')
  })

  test('turns no position by an order that only reduces', () => {
    expect(brief('market(sell, 5, ro=true); market(position=0.05)')).toEqual([
      'market orders sell 5.000 ro',
      'market orders buy 0.050',
    ])
  })

  test('is of nothing where a command behind an entry is known to be refused', () => {
    const scene = { market: btcusdt, reading: accountReading(flat), open: [], limits: active, findings: [] }
    const planned = (text: string) => onlyOf(planBlocks([{ lane: 'one', commands: commandsOf(text), scene }]))
    const refused = planned('market(buy, 0.01); stop(sell, 100%p, 61000); balance')
    expect(refused.refusal).toMatchObject({ code: 'E507', command: 1 })
    expect(refused.commands.map(({ outcome }) => outcome)).toEqual(['skipped', 'refused', 'skipped'])
    expect(refused.commands[1]?.error).toBe(refused.refusal?.message)
    const runs = planned('market(buy, 0.01); stop(sell, 100%p, 58000)')
    expect(runs.refusal).toBeUndefined()
    expect(runs.commands.map(({ outcome }) => outcome)).toEqual(['orders', 'orders'])
  })

  test('of blocks of one lane goes on with the account that the one before leaves', () => {
    const scene = { market: btcusdt, reading: accountReading(flat), open: [], limits: active, findings: [] }
    const blocks = (...lanes: [lane: string, text: string][]) =>
      planBlocks(lanes.map(([lane, text]) => ({ lane, commands: commandsOf(text), scene })))
    const more = 'limit(buy, 0.01, 59000); stop(sell, 100%p, 58000)'
    const [, alone] = blocks(['one', 'market(buy, 0.1)'], ['other', more])
    expect(alone?.refusal).toMatchObject({ code: 'E505' })
    const [, behind] = blocks(['one', 'market(buy, 0.1)'], ['one', more])
    expect(behind?.refusal).toBeUndefined()
    expect(behind?.commands[1]?.orders).toMatchObject([{ quantity: '0.100', reduce_only: true }])
    const closed = blocks(
      ['one', 'market(buy, 0.1)'],
      ['one', 'market(position=0)'],
      ['one', 'stop(sell, 100%p, 58000)'],
    )
    expect(closed[2]).toMatchObject({ refusal: undefined, commands: [{ error_code: 'E505' }] })
  })

  test('skips the commands behind a refusal', () => {
    expect(brief('market(buy, 50$); cancel; market(buy, 0.01)')).toEqual([
      'market refused E501',
      'cancel skipped',
      'market skipped',
    ])
  })

  test('shows commands without an order, and commands with nothing to do', () => {
    expect(brief('wait(1500ms); balance; balance(ETH); market(position=0.1)')).toEqual([
      'wait acts waits 1.5 s; the commands after it are sized then',
      'balance acts reports the balance: 9900 USDT, 8000 of it free; equity 10000, available 8000 USDT; long 0.1 BTC',
      'balance refused E303',
      'market skipped',
    ])
    expect(brief('market(position=0.1)')).toEqual(['market nothing the position is 0.100 BTC already'])
  })

  test('shows a balance as finely as its market trades, without zeros at its end', () => {
    expect(brief('balance', { ...flat, equity: '10000.5000', available: '8000.12987654' })).toEqual([
      'balance acts reports the balance: 9900 USDT, 8000 of it free; equity 10000.5, available 8000.12 USDT; flat',
    ])
  })

  test('lets exits pass where the bot only reduces, and nothing but a look where it is halted', () => {
    const limits: BotLimits = { ...active, tradingState: 'reducing' }
    expect(brief('market(sell, 50%); cancel; market(buy, 0.01)', { limits })).toEqual([
      'market orders sell 0.050 ro',
      'cancel nothing BTCUSDT has no such open order',
      'market refused E516',
    ])
    const halted: BotLimits = { ...active, tradingState: 'halted' }
    for (const command of ['market(position=0)', 'cancel', 'wait(1)', 'exchangeSettings(leverage=5)'])
      expect(plan(command, { limits: halted })).toMatchObject([{ outcome: 'refused', error_code: 'E516' }])
    expect(plan('balance', { limits: halted })).toMatchObject([{ outcome: 'acts' }])
  })

  test('refuses an entry that is worth more than the bot may place, and no exit', () => {
    const limits: BotLimits = { ...active, maxOrderValue: '1000' }
    const position = '0.050'
    expect(brief('market(buy, 0.016)', { limits })).toEqual(['market orders buy 0.016'])
    expect(brief('market(buy, 0.017)', { limits })).toEqual(['market refused E517'])
    expect(brief('limit(buy, 0.017, 58000)', { limits })).toEqual(['limit orders buy 0.017'])
    expect(brief('market(position=0)', { limits, position })).toEqual(['market orders sell 0.050 ro'])
    expect(brief('market(sell, 0.051)', { limits, position })).toEqual(['market refused E517'])
  })

  test('names the orders that a sale on spot takes back first, and sells all of it', () => {
    const holdings = [{ coin: 'BTC', total: '0.02', free: '0.005' }]
    const stop = { type: 'stop', side: 'sell', quantity: '0.015', filled: '0', price: null } as const
    const named = { ...stop, venueOrderId: '5', clientOrderId: 't5', triggerPrice: '58000' }
    const own = [{ name: 'a', orders: [named], coins: '0.015', isLocking: true, limitsLoss: true }]
    const reading = accountReading({ ...spotHoldings, holdings })
    const scene = { market: btcusdtSpot, reading, open: undefined, own, limits: active, findings: [] }
    const twice = commandsOf('market(sell, 100%); market(sell, 100%)', 'spot')
    const [plan, again] = planCommands(twice, scene).commands
    expect(plan).toMatchObject({
      outcome: 'orders',
      orders: [{ quantity: '0.02000', warnings: [] }],
      cancels: [{ client_order_id: 't5', amount: '0.015', price: '58000' }],
      note: 'takes back stop sell 0.015 at 58000',
    })
    expect(again).toMatchObject({ outcome: 'nothing', note: 'there is no BTC to sell' })
  })

  test('lets orders that a sale on spot took back stand again for the coins that it leaves, which are locked then', () => {
    const holdings = [{ coin: 'BTC', total: '0.02', free: '0.005' }]
    const limit = { type: 'limit', side: 'sell', quantity: '0.015', filled: '0', triggerPrice: null } as const
    const named = { ...limit, venueOrderId: '5', clientOrderId: 't5', price: '62000' }
    const own = [{ name: 'a', orders: [named], coins: '0.015', isLocking: true, limitsLoss: false }]
    const reading = accountReading({ ...spotHoldings, holdings })
    const scene = { market: btcusdtSpot, reading, open: undefined, own, limits: active, findings: [] }
    const written = commandsOf('market(sell, 50%); limit(sell, 100%, 61000); market(sell, 100%)', 'spot')
    const [half, rest, all] = planCommands(written, scene).commands
    expect(half).toMatchObject({
      orders: [{ quantity: '0.01000' }],
      note: 'takes back limit sell 0.015 at 62000, which stands again for 0.01',
    })
    expect(rest).toMatchObject({ outcome: 'refused', error_code: 'E501' })
    expect(all).toMatchObject({ outcome: 'skipped' })
    const [, whole] = planCommands(
      commandsOf('market(sell, 50%); market(sell, 100%)', 'spot'),
      scene,
    ).commands
    expect(whole).toMatchObject({ orders: [{ quantity: '0.01000' }], cancels: [{ client_order_id: 't5' }] })
  })

  test('takes back orders that the message itself left resting, and none that it canceled', () => {
    const scene = {
      market: btcusdtSpot,
      reading: accountReading(spotHoldings),
      open: [],
      limits: active,
      findings: [],
    }
    const plansOf = (text: string) => planCommands(commandsOf(text, 'spot'), scene).commands
    expect(plansOf('limit(sell, 50%, 62000); market(sell, 100%)')[1]).toMatchObject({
      orders: [{ quantity: '0.02000', warnings: [] }],
      note: 'takes back limit sell 0.01 at 62000',
    })
    expect(
      plansOf('oco { stop(sell, 100%, 58000); limit(sell, 100%, 62000) }; market(sell, 50%)')[1],
    ).toMatchObject({
      orders: [{ quantity: '0.01000' }],
      note: expect.stringMatching(/^takes back .*, which stands again for 0.01$/),
    })
    expect(plansOf('limit(sell, 50%, 62000); cancel; market(sell, 100%)')[2]).toMatchObject({
      orders: [{ quantity: '0.02000' }],
      cancels: [],
      note: null,
    })
  })

  test('refuses an order against a side of hedge mode on which nothing is held', () => {
    const none = { quantity: '0', entryPrice: null, unrealizedPnl: '0' }
    const hedged = { hedged: { long: none, short: none } }
    expect(brief('market(sell, 0.01, positionSide=long)', hedged)).toEqual(['market refused E510'])
    expect(brief('limit(buy, 0.01, 59000, positionSide=short)', hedged)).toEqual(['limit refused E510'])
    expect(
      brief('market(buy, 0.01, positionSide=long); market(sell, 0.01, positionSide=long)', hedged),
    ).toEqual(['market orders buy 0.010', 'market orders sell 0.010'])
  })

  test('reports the finding of the check at its command, and runs nothing before it', () => {
    const scene = {
      market: btcusdt,
      reading: accountReading(),
      open: [],
      limits: active,
      findings: [{ code: 'E404', message: 'not here', command: 1 } as const],
    }
    const commands = commandsOf('market(buy, 0.01); limit(buy, 0.01, 59000)')
    expect(planCommands(commands, scene).commands.map(({ outcome }) => outcome)).toEqual([
      'skipped',
      'refused',
    ])
  })
})

describe('a plan of cancels', () => {
  const order: VenueOrder = {
    venueOrderId: '1',
    clientOrderId: 'by-hand',
    side: 'sell',
    type: 'limit',
    status: 'open',
    quantity: '0.05',
    filled: '0',
    averagePrice: null,
    price: '61000',
    triggerPrice: null,
    isConditional: false,
    reduceOnly: false,
    fee: null,
    updatedAt: null,
  }

  describe('that are of the last entry', () => {
    const waiting = { order: order.clientOrderId, before: entryOn('buy') }
    const after = (entry: LastEntry, filled = '0') => ({
      ...{ ...flat, lastEntries: { both: entry } },
      open: [{ ...order, filled }],
    })

    test.each([
      ['opens by what is no exit then', { order: order.clientOrderId }, '0', 'market orders buy 0.166'],
      ['is as if it had never come', waiting, '0', 'market orders buy 0.166'],
      ['leaves the exit of what was filled', waiting, '0.1', 'market nothing'],
      ['leaves the exit of another', { order: 'other' }, '0', 'market nothing'],
    ])('%s', (_name, of, filled, expected) => {
      const [canceled, exit] = brief(
        'cancel; market(buy, 100%)',
        after(entryOn('sell', { rests: true, waiting: of }), filled),
      )
      expect(canceled).toContain('cancel acts')
      expect(exit).toContain(expected)
    })

    test('of the plan itself too', () => {
      const text = 'limit(sell, 0.1, 61000); cancel; market(buy, 100%)'
      expect(brief(text, flat).at(-1)).toBe('market orders buy 0.166')
    })
  })

  test('names the orders that it would end', () => {
    expect(plan('cancel(limit)', { open: [order] })).toMatchObject([
      {
        outcome: 'acts',
        note: 'cancels 1 of 1 open orders of BTCUSDT',
        cancels: [
          { client_order_id: 'by-hand', side: 'sell', type: 'limit', amount: '0.05', price: '61000' },
        ],
      },
    ])
  })

  test.each([
    ['cancel', 3],
    ['cancel(buy)', 2],
    ['cancel(stop)', 1],
    ['cancel(tag=a)', 1],
    ['cancel(session)', 2],
  ])('%s knows the orders that its block would place before it: %d', (cancel, count) => {
    const text = `limit(buy, 0.01, 59000, tag=a); stop(buy, 0.01, 61000); ${cancel}; cancel`
    const plans = plan(text, { open: [order] })
    expect(plans[2]?.cancels).toHaveLength(count)
    expect(plans[3]?.cancels).toHaveLength(3 - count)
  })

  test('says so where the open orders are not known', () => {
    const scene = {
      market: btcusdt,
      reading: accountReading(),
      open: undefined,
      limits: active,
      findings: [],
    }
    expect(planCommands(commandsOf('cancel(stop)'), scene).commands).toMatchObject([
      {
        outcome: 'acts',
        note: 'cancels open orders (stop) of BTCUSDT; the exchange could not be asked which there are',
      },
    ])
  })
})

describe('a plan of settings', () => {
  test.each([
    ['exchangeSettings(leverage=5)', 'acts leverage 20 → 5; margin mode unchanged (cross)'],
    ['exchangeSettings(leverage=20)', 'nothing leverage is already 20; margin mode unchanged (cross)'],
    [
      'exchangeSettings(leverage=5, marginMode=isolated)',
      'acts leverage 20 → 5; margin mode cross → isolated',
    ],
    ['exchangeSettings(positionMode=hedge)', 'refused E405'],
  ])('%s', (text, expected) => {
    expect(brief(text)).toEqual([`exchangeSettings ${expected}`])
  })

  test('counts with the new leverage behind them', () => {
    const text = (leverage: number) => `exchangeSettings(leverage=${leverage}); market(buy, 1)`
    expect(plan(text(5), flat).at(-1)).toMatchObject({ outcome: 'refused', error_code: 'E506' })
    expect(plan(text(10), flat).at(-1)).toMatchObject({ outcome: 'orders' })
  })
})

describe('the money of a plan', () => {
  const held: Differing = {
    market: btcusdtSpot,
    ...spotHoldings,
    settings: null,
  }

  test.each([
    ['all of it by percent', 'market(buy, 100%)', ['market orders buy 1000$']],
    ['a purchase of more than there is', 'market(buy, 1000.01$)', ['market refused E506']],
    ['a limit of more than there is', 'limit(buy, 0.02, 59000)', ['limit refused E506']],
    ['a sale of more than there is', 'market(sell, 0.021)', ['market refused E506']],
    [
      'what a purchase leaves',
      'market(buy, 600$); market(buy, 600$)',
      ['market orders buy 600$', 'market refused E506'],
    ],
    [
      'what a purchase brings',
      'market(buy, 600$); market(sell, 0.029)',
      ['market orders buy 600$', 'market orders sell 0.02900'],
    ],
    [
      'what an open order locks',
      'limit(buy, 0.01, 59000); market(buy, 600$)',
      ['limit orders buy 0.01000', 'market refused E506'],
    ],
    [
      'what a cancel frees',
      'limit(buy, 0.01, 59000); cancel; market(buy, 600$)',
      [
        'limit orders buy 0.01000',
        'cancel acts cancels 1 of 1 open orders of BTCUSDT',
        'market orders buy 600$',
      ],
    ],
    [
      'a pair that the exchange keeps locks its coins once',
      'oco { stop(sell, 0.02, 58000); limit(sell, 0.02, 62000) }',
      ['oneCancelsOther orders sell 0.02000 sell 0.02000'],
    ],
  ])('on spot: %s', (_name, text, expected) => {
    expect(brief(text, held)).toEqual(expected)
  })

  test.each([
    ['a margin that is not there', 'market(buy, 3)', 'market refused E506'],
    ['a margin that is there', 'market(buy, 2.6)', 'market orders buy 2.600'],
    ['what flips needs margin for its other side only', 'market(sell, 2.7)', 'market orders sell 2.700'],
    ['what exits needs none', 'market(position=0)', 'market orders sell 0.100 ro'],
    ['a stop needs none before its trigger', 'stop(buy, 3, 61000)', 'stopOrder orders buy 3.000'],
  ])('on futures: %s', (_name, text, expected) => {
    expect(brief(text)).toEqual([expected])
  })

  test('says how much is needed and how much there is', () => {
    expect(plan('market(buy, 3)')).toMatchObject([
      { error: 'a margin of 180000.3 / 20 = 9000.015 USDT is needed, 8000 USDT is free' },
    ])
  })
})

describe('a plan of several orders', () => {
  const oco = 'oco { limit(sell, 100%, 62000); stop(sell, 100%, 58000) }'

  test('has the protective leg first, and says whether we or the exchange hold the group', () => {
    expect(plan(oco)).toMatchObject([
      {
        orders: [{ type: 'stop' }, { type: 'limit' }],
        group: { kept_by: 'executor', mode: 'cancel', on_partial: 'reduce' },
      },
    ])
    const market = btcusdtSpot
    const holdings = [{ coin: 'BTC', total: '0.1', free: '0.1' }]
    const onSpot = { market, holdings, settings: null }
    expect(plan(oco, onSpot)).toMatchObject([{ group: { kept_by: 'venue' } }])
    expect(plan('sltp(sell, 0.01, sl=58000)', onSpot)).toMatchObject([{ orders: [{}], group: null }])
  })

  test('counts the position for the profit once, and cancels the orders at the exchange', () => {
    const holdings = [{ coin: 'BTC', total: '0.1', free: '0.1' }]
    const onSpot = { market: oneAtATime, holdings, settings: null }
    expect(plan(`${oco}; limit(sell, 0.1, 63000); cancel`, onSpot)).toMatchObject([
      { outcome: 'orders', group: { kept_by: 'executor' } },
      { outcome: 'orders' },
      { outcome: 'acts', cancels: [{ type: 'stop' }, { type: 'limit', price: '63000' }] },
    ])
  })

  test('is refused where the exchange keeps no such group', () => {
    const unequal = 'oco { limit(sell, 0.05, 62000); stop(sell, 0.01, 58000) }'
    const holdings = [{ coin: 'BTC', total: '0.1', free: '0.1' }]
    expect(brief(unequal, { market: btcusdtSpot, holdings })).toEqual(['oneCancelsOther refused E404'])
  })
})

describe('a plan after the position is gone', () => {
  const stopped = { both: entryOn('buy', { closed: { how: 'its stop at 58000', at: 0 } }) }
  const closed = 'nothing to close: the long of BTCUSDT was closed by its stop at 58000'

  test.each([
    ['an exit by plain percent', 'market(sell, 100%)', flat, [`market nothing ${closed}`]],
    ['one at a price', 'limit(sell, 100%, 62000)', flat, [`limit nothing ${closed}`]],
    [
      'an entry behind it',
      'market(sell, 100%); market(sell, 100%)',
      flat,
      [`market nothing ${closed}`, 'market orders sell 0.166'],
    ],
    [
      'exits that each would have closed a part, and what protects',
      'limit(sell, 50%, 62000); limit(sell, 50%, 63000); stop(sell, 100%, 58000); market(sell, 50%)',
      flat,
      ['limit', 'limit', 'stopOrder', 'market'].map((command) => `${command} nothing ${closed}`),
    ],
    ['an entry on the same side', 'market(buy, 100%)', flat, ['market orders buy 0.166']],
    ['another basis', 'market(sell, 100%b)', flat, ['market orders sell 0.166']],
    ['a target', 'market(position=-100%)', flat, ['market orders sell 0.166']],
    ['a position that is there', 'market(sell, 100%)', {}, ['market orders sell 0.100 ro']],
    [
      'an entry behind what closes whatever is there',
      'market(position=0); market(sell, 100%)',
      flat,
      ['market nothing the position is 0 BTC already', 'market orders sell 0.166'],
    ],
    [
      'an entry behind what closed the one of the plan itself',
      'market(buy, 0.1); market(sell, 0.1); market(sell, 100%)',
      flat,
      ['market orders buy 0.100', 'market orders sell 0.100', 'market orders sell 0.166'],
    ],
    [
      'an exit of an entry of the plan that would rest',
      'limit(buy, 0.1, 59000); market(sell, 100%)',
      flat,
      [
        'limit orders buy 0.100',
        'market nothing nothing to close yet: the buy of BTCUSDT that came last still waits at the exchange',
      ],
    ],
    [
      'what protects behind an entry that would only close a short by hand',
      'market(buy, 100%); stop(sell, 100%, 58000)',
      { position: '-0.100', lastEntries: undefined },
      [
        'market orders buy 0.100 ro',
        'stopOrder nothing nothing to close: the buy before it opened no long of BTCUSDT',
      ],
    ],
  ] as const)('%s', (_name, text, differing, expected) => {
    expect(brief(text, { ...differing, lastEntries: stopped })).toEqual(expected)
  })

  test('in another block each exit is one, whatever closed before', () => {
    const reading = accountReading({ ...flat, lastEntries: stopped })
    const scene = { market: btcusdt, reading, open: [], limits: active, findings: [] }
    const blocks = ['market(sell, 100%); market(sell, 50%, ro=true)', 'market(sell, 100%)'].map((text) => ({
      lane: 'one',
      commands: commandsOf(text),
      scene,
    }))
    const outcomes = planBlocks(blocks).map(({ commands }) => commands.map(({ outcome }) => outcome))
    expect(outcomes).toEqual([['nothing', 'refused'], ['nothing']])
  })

  test('nothing known', () => {
    expect(brief('market(sell, 100%)', flat)).toEqual(['market orders sell 0.166'])
  })
})
