import { describe, expect, test } from '@jest/globals'
import { isZero, subtract } from '@tripline/proto/decimal'
import fc from 'fast-check'
import { type CoinsModel, coins, createCoins, type Happening } from '../../../test/coins-model.ts'
import type { Holding } from './account.ts'
import { viewedHoldings } from './viewed-account.ts'

const by = fc.constantFrom('us' as const, 'hand' as const)
const side = fc.constantFrom('buy' as const, 'sell' as const)
// So many that hardly any two states are alike.
const quantity = fc.integer({ min: 1, max: 1_000_000 })
type Plain = 'take' | 'answer' | 'lose' | 'deliverUpdate' | 'deliverOrder' | 'ask' | 'cut' | 'connect'
const plain = (act: Plain) => fc.constant<Happening>({ do: act })
const as = <Word extends string>(word: Word) => fc.constant(word)
const trade = fc.record({
  do: as('trade'),
  by,
  side,
  quantity,
  parts: fc.constantFrom(1 as const, 2 as const),
})
const rest = fc.record({ do: as('rest'), by, side, quantity })
const cancel = fc.record({ do: as('cancel'), by })
const deposit = fc.record({
  do: as('deposit'),
  coin: fc.constantFrom(...coins),
  quantity,
  isReportedFirst: fc.boolean(),
})
const read = fc.record({ do: as('read'), lagMs: fc.constantFrom(0, 0, 1, 20, 500, 990) })
const pass = (min: number, max: number) => fc.record({ do: as('pass'), ms: fc.integer({ min, max }) })
const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 3, arbitrary: trade },
  { weight: 4, arbitrary: rest },
  { weight: 3, arbitrary: cancel },
  { weight: 1, arbitrary: plain('take') },
  { weight: 1, arbitrary: deposit },
  { weight: 5, arbitrary: plain('answer') },
  { weight: 8, arbitrary: plain('deliverUpdate') },
  { weight: 8, arbitrary: plain('deliverOrder') },
  { weight: 6, arbitrary: plain('ask') },
  { weight: 8, arbitrary: read },
  { weight: 1, arbitrary: plain('lose') },
  { weight: 1, arbitrary: plain('cut') },
  { weight: 3, arbitrary: plain('connect') },
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

const viewed = (account: CoinsModel) => viewedHoldings(account.view(), account.now())
const isSame = (one: Holding, other: Holding): boolean =>
  isZero(subtract(one.total, other.total)) && isZero(subtract(one.free, other.free))

/** Viewed amounts of a coin are of a moment when all that we know of our orders was so. */
function expectFresh(account: CoinsModel): void {
  const holdings = viewed(account)
  for (const coin of holdings === undefined ? [] : coins) {
    const holding = holdings?.find((one) => one.coin === coin) ?? { coin, total: '0', free: '0' }
    expect(account.sinceKnown(coin).some((held) => isSame(held, holding))).toBe(true)
  }
}

function settle(account: CoinsModel): void {
  for (let left = 0; left < 200; left++) {
    account.happen({ do: 'answer' })
    account.happen({ do: 'deliverOrder' })
    account.happen({ do: 'deliverUpdate' })
  }
}

describe('the known quantity of coins', () => {
  test('is never older than the answers to our orders: the fills, the locked and the freed coins', () => {
    fc.assert(
      fc.property(fc.constantFrom([], known), some, (before, happenings) => {
        const account = createCoins()
        for (const each of [...before, ...happenings]) {
          account.happen(each)
          expectFresh(account)
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('is complete once everything was reported, and it was read after that', () => {
    const later = fc.oneof(trade, rest, cancel)
    fc.assert(
      fc.property(
        fc.array(happening, { maxLength: 40 }),
        fc.array(later, { maxLength: 5 }),
        (before, after) => {
          const account = createCoins()
          for (const each of before) account.happen(each)
          account.happen({ do: 'connect' })
          settle(account)
          account.happen({ do: 'pass', ms: 5000 })
          account.happen({ do: 'ask' })
          account.happen({ do: 'read', lagMs: 0 })
          for (const each of after) account.happen(each)
          settle(account)
          const holdings = viewed(account) ?? []
          for (const coin of coins) {
            const [holding, now] = [
              holdings.find((one) => one.coin === coin),
              account.sinceKnown(coin).at(-1),
            ]
            expect(holding && now && isSame(holding, now)).toBe(true)
          }
        },
      ),
      { numRuns: 300 },
    )
  })
})
