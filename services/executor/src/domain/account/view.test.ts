import { describe, expect, test } from '@jest/globals'
import { isZero, subtract } from '@tripline/proto/decimal'
import type { ClientOrderId } from '@tripline/proto/id'
import fc from 'fast-check'
import { type AccountModel, createAccount, type Happening, symbols } from '../../../test/account-model.ts'
import {
  type AccountBase,
  type AccountUpdate,
  type AccountView,
  afterAccountUpdate,
  afterAnswer,
  afterBase,
  afterDown,
  afterFill,
  afterLive,
  afterRefusal,
  afterSending,
  type FillUpdate,
  noView,
} from './view.ts'
import { equityAt, viewedAccount, viewedAccountApart, viewedPositions } from './viewed-account.ts'

const symbol = fc.constantFrom(...symbols)
const plain = (act: 'answer' | 'lose' | 'deliverUpdate' | 'deliverFill' | 'ask' | 'cut' | 'connect') =>
  fc.constant<Happening>({ do: act })
const trade = fc.record({
  do: fc.constant('trade' as const),
  by: fc.constantFrom('us' as const, 'hand' as const),
  symbol,
  // So many that hardly any two positions are alike.
  quantity: fc.integer({ min: -1_000_000, max: 1_000_000 }).filter((quantity) => quantity !== 0),
  parts: fc.constantFrom(1 as const, 2 as const),
  reportsEachPart: fc.boolean(),
})
const pass = (min: number, max: number) =>
  fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min, max }) })
const happening = fc.oneof(
  { weight: 4, arbitrary: trade },
  { weight: 4, arbitrary: plain('answer') },
  { weight: 6, arbitrary: plain('deliverUpdate') },
  { weight: 6, arbitrary: plain('deliverFill') },
  { weight: 6, arbitrary: plain('ask') },
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('read' as const), lagMs: fc.constantFrom(0, 0, 1, 20, 500, 990) }),
  },
  { weight: 1, arbitrary: plain('lose') },
  { weight: 1, arbitrary: plain('cut') },
  { weight: 3, arbitrary: plain('connect') },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('refuse' as const), symbol }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('sayAgain' as const), symbol }) },
  { weight: 3, arbitrary: pass(1, 900) },
  { weight: 3, arbitrary: pass(1000, 2000) },
  { weight: 1, arbitrary: pass(2000, 70_000) },
)
const known: Happening[] = [
  { do: 'connect' },
  { do: 'pass', ms: 1000 },
  { do: 'ask' },
  { do: 'read', lagMs: 0 },
]

const some = fc.array(happening, { minLength: 10, maxLength: 100, size: 'max' })

/** Every view that is answered is of a moment when our last known fill was in it. */
function expectFresh(account: AccountModel): void {
  for (const one of symbols) {
    const positions = viewedPositions(account.view(), one, account.now())
    if (positions === undefined) continue
    const quantity = positions[0]?.quantity ?? '0'
    const since = account.history(one).slice(account.knownSince(one))
    expect(since.some((held) => isZero(subtract(held, quantity)))).toBe(true)
  }
}

describe('a view', () => {
  test('is never older than our last fill, however readings, events, fills and gaps follow one another', () => {
    fc.assert(
      fc.property(fc.constantFrom([], known), some, fc.boolean(), (before, happenings, isNumbered) => {
        const account = createAccount(isNumbered)
        for (const each of [...before, ...happenings]) {
          account.happen(each)
          expectFresh(account)
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('shows the account once everything was reported, and it was read after that', () => {
    fc.assert(
      fc.property(
        fc.array(happening, { maxLength: 40 }),
        fc.array(trade, { maxLength: 5 }),
        fc.boolean(),
        (before, after, isNumbered) => {
          const account = createAccount(isNumbered)
          for (const each of before) account.happen(each)
          const settle = (): void => {
            for (let left = 0; left < 100; left++) {
              account.happen({ do: 'answer' })
              account.happen({ do: 'deliverFill' })
              account.happen({ do: 'deliverUpdate' })
            }
          }
          account.happen({ do: 'connect' })
          settle()
          account.happen({ do: 'pass', ms: 5000 })
          account.happen({ do: 'ask' })
          account.happen({ do: 'read', lagMs: 0 })
          for (const each of after) account.happen(each)
          settle()
          for (const one of symbols) {
            const positions = viewedPositions(account.view(), one, account.now())
            expect(positions).toBeDefined()
            const held = account.history(one).at(-1) ?? ''
            expect(isZero(subtract(positions?.[0]?.quantity ?? '0', held))).toBe(true)
          }
        },
      ),
      { numRuns: 300 },
    )
  })
})

const base: AccountBase = {
  askedAt: 1000,
  venueAskedAt: 5000,
  wallets: new Map([['USDT', '1000']]),
  positions: [{ symbol: 'BTCUSDT', side: 'both', quantity: '0.1', entryPrice: '60000' }],
}
const live = afterLive(noView, 0)
const viewed = afterBase(live, base, live.updates)
const fill = (more: Partial<FillUpdate> = {}): FillUpdate => ({
  at: 6000,
  symbol: 'BTCUSDT',
  side: 'both',
  clientOrderId: 'own',
  change: '0.2',
  filled: '0.2',
  ...more,
})
const update = (quantity: string, more: Partial<AccountUpdate> = {}): AccountUpdate => ({
  at: 6000,
  isWhole: true,
  wallets: new Map([['USDT', '990']]),
  positions: [{ symbol: 'BTCUSDT', side: 'both', quantity, entryPrice: '60100' }],
  ...more,
})
const reported = (view: AccountView, one: AccountUpdate, now = 1500) => afterAccountUpdate(view, one, now)
const traded = (view: AccountView, one: FillUpdate, now = 1500) => afterFill(view, one, now)
const own = { clientOrderId: 'own' as ClientOrderId, symbol: 'BTCUSDT' }
const quantityIn = (view: AccountView, now = 2000): string | undefined =>
  viewedPositions(view, 'BTCUSDT', now)?.[0]?.quantity

describe('a position', () => {
  test('is known by a reading while the stream reports', () => {
    expect(quantityIn(viewed)).toBe('0.1')
    expect(viewedPositions(viewed, 'ETHUSDT', 2000)).toEqual([])
  })

  test.each([
    ['nothing was read', live],
    ['the stream is down', afterDown(viewed)],
    ['the stream began anew', afterLive(viewed, 2000)],
    ['the stream did not report when it was read', afterBase(noView, base, 0)],
    [
      'something was reported while it was read',
      afterBase(reported(live, update('0.1'), 0), base, live.updates),
    ],
    ['an execution was reported, and its result was not', traded(viewed, fill())],
    ['the result of an execution was reported, and the execution was not', reported(viewed, update('0.3'))],
    ['an order is on its way', afterSending(viewed, own, 1500)],
    [
      'an order is filled by its answer alone',
      afterAnswer(
        viewed,
        'BTCUSDT',
        { clientOrderId: 'own', filled: '0.2', status: 'filled', updatedAt: 6000 },
        1500,
      ),
    ],
    ['the venue reported a change that is not all', reported(viewed, update('0.1', { isWhole: false }))],
    ['a change from before the reading was reported after it', reported(viewed, update('0.1', { at: 4999 }))],
    [
      'the reading shows another position than the stream reported',
      afterBase(reported(live, update('0.3'), 0), base, live.updates + 1),
    ],
    ['it was read soon after a report', afterBase(reported(live, update('0.1'), 1), base, live.updates + 1)],
    [
      'another reading shows another position, which no report explains',
      afterBase(viewed, { ...base, positions: [] }, viewed.updates),
    ],
  ])('is to be read where %s', (_case, view) => {
    expect(quantityIn(view)).toBeUndefined()
  })

  test('is to be read where the last reading is too old', () => {
    expect(quantityIn(viewed, 61_000)).toBe('0.1')
    expect(quantityIn(viewed, 61_001)).toBeUndefined()
  })

  test('is known for longer by a reading that shows the same, and not for less by one that lags', () => {
    const busy = reported(traded(viewed, fill(), 50_000), update('0.3'), 50_000)
    const again = (quantity: string) => {
      const [position] = base.positions
      const positions = position === undefined ? [] : [{ ...position, quantity }]
      return afterBase(busy, { ...base, askedAt: 50_500, venueAskedAt: 54_500, positions }, busy.updates)
    }
    expect(quantityIn(again('0.3'), 110_000)).toBe('0.3')
    expect(quantityIn(again('0.1'), 60_000)).toBe('0.3')
    expect(quantityIn(again('0.1'), 61_001)).toBeUndefined()
  })

  test('is known while old orders are looked up, and not while new ones are', () => {
    const lookedUp = (updatedAt: number) =>
      afterAnswer(viewed, 'BTCUSDT', { clientOrderId: 'old', filled: '5', status: 'filled', updatedAt }, 1500)
    expect(quantityIn(lookedUp(-15_001))).toBe('0.1')
    expect(quantityIn(lookedUp(-14_999))).toBeUndefined()
  })

  test('is known again once both report a fill, in any order, and as often as they like', () => {
    const sent = afterSending(viewed, own, 1500)
    const answered = afterAnswer(
      sent,
      'BTCUSDT',
      { clientOrderId: 'own', filled: '0.2', status: 'filled', updatedAt: 6000 },
      1600,
    )
    for (const view of [
      reported(traded(answered, fill()), update('0.3')),
      traded(reported(answered, update('0.3')), fill()),
      traded(traded(reported(reported(answered, update('0.3')), update('0.3')), fill()), fill()),
      afterAnswer(
        reported(traded(sent, fill()), update('0.3')),
        'BTCUSDT',
        { clientOrderId: 'own', filled: '0.2', status: 'filled', updatedAt: 6000 },
        1600,
      ),
    ])
      expect(quantityIn(view)).toBe('0.3')
  })

  test('is known again after an order that was refused, or took nothing', () => {
    const sent = afterSending(viewed, own, 1500)
    expect(quantityIn(afterRefusal(sent, 'own'))).toBe('0.1')
    const resting = { clientOrderId: 'own', filled: '0', status: 'open', updatedAt: 6000 } as const
    expect(quantityIn(afterAnswer(sent, 'BTCUSDT', resting, 1600))).toBe('0.1')
  })

  test('is known by the steps that a venue numbers its changes with, whatever its times say', () => {
    const filled = traded(viewed, fill({ step: 8 }))
    const before = { step: 7, at: 6500 }
    expect(quantityIn(reported(filled, update('0.3', before)))).toBeUndefined()
    expect(quantityIn(reported(filled, update('0.3', { step: 8, at: 5999 })))).toBe('0.3')
    const settled = reported(filled, update('0.3', { step: 8 }))
    expect(quantityIn(reported(settled, update('0.1', before)))).toBe('0.3')
  })

  test('stays known by a reading during which the stream reported known values again', () => {
    const [held = { symbol: '', side: 'both', quantity: '', entryPrice: '' }] = base.positions
    const same = update('0.1', { at: 60_500, wallets: base.wallets, positions: [held] })
    const read = { ...base, askedAt: 60_000, venueAskedAt: 64_000 }
    const again = afterBase(reported(viewed, same, 60_100), read, viewed.updates)
    expect(quantityIn(again, 100_000)).toBe('0.1')
  })

  test('is known of one symbol while another one is to be read', () => {
    const view = traded(viewed, fill({ symbol: 'ETHUSDT' }))
    expect(viewedPositions(view, 'ETHUSDT', 2000)).toBeUndefined()
    expect(quantityIn(view)).toBe('0.1')
    expect(viewedAccount(view, 2000)).toBeUndefined()
  })

  test('of an order without an answer is known by a reading that was asked for after it could still arrive', () => {
    const lost = afterSending(viewed, own, 1500)
    const again = (askedAt: number) => afterBase(lost, { ...base, askedAt }, lost.updates)
    expect(quantityIn(again(5000), 5500)).toBeUndefined()
    expect(quantityIn(again(5501), 5600)).toBe('0.1')
  })
})

describe('balances that are reported apart from positions', () => {
  const apart = (view: AccountView, now: number) => viewedAccountApart(view, now)?.wallets.get('USDT')
  const filled = reported(traded(viewed, fill()), update('0.3', { wallets: new Map() }))
  const balance = (at: number) => update('0.3', { at, positions: [] })

  test('are known by a reading, and again once they were reported after an execution', () => {
    expect(apart(viewed, 2000)).toBe('1000')
    expect(apart(filled, 4000)).toBeUndefined()
    expect(apart(reported(filled, balance(6001)), 4000)).toBe('990')
  })

  test('are to be read where they were reported before the execution, or something a moment ago', () => {
    expect(apart(reported(filled, balance(5999)), 4000)).toBeUndefined()
    expect(apart(reported(filled, balance(6001), 3100), 4000)).toBeUndefined()
  })
})

describe('the equity of an account', () => {
  const marks: Record<string, string> = { BTCUSDT: '61000', ETHUSDT: '3000' }
  const short = { symbol: 'ETHUSDT', side: 'both', quantity: '-2', entryPrice: '3100' } as const
  test('is its wallet with the profit and loss of all its positions at their marks', () => {
    expect(equityAt('1000', base.positions, (each) => marks[each])).toBe('1100')
    expect(equityAt('1000', [...base.positions, short], (each) => marks[each])).toBe('1300')
  })

  test('is not known without the mark of each of them', () => {
    expect(equityAt('1000', [short], () => undefined)).toBeUndefined()
    expect(equityAt('1000', [{ ...short, quantity: '0' }], () => undefined)).toBe('1000')
  })
})
