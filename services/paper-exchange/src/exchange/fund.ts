import { balanceOf, credited, type Position, positionKey } from '../domain/account.ts'
import { smaller } from '../domain/fixed.ts'
import { fundingOf, nextFunding } from '../domain/funding.ts'
import { type MarketId, marketOf } from '../domain/market.ts'
import type { Entry } from '../store/ledger.ts'
import { payHouse } from './fill.ts'
import { type Floor, putAccount, putFunding, type Run, touch } from './run.ts'

/** Pays the funding of every moment that has come since it was paid last; `at` does the work as one change. */
export function payDueFunding(floor: Floor, now: number, at: (work: (run: Run) => void) => void): void {
  for (let due = nextFunding(floor.funded.at); due <= now; due = nextFunding(due)) {
    at(payFunding)
    floor.funded.at = due
  }
}

function payFunding(run: Run): void {
  for (const [market, holders] of run.floor.holders)
    for (const entry of holders) if (entry !== run.floor.ledger.house) payOf(run, entry, market)
}

function payOf(run: Run, entry: Entry, id: MarketId): void {
  for (const position of [...entry.account.positions.values()])
    if (position.market === id) pay(run, entry, position)
}

function pay(run: Run, entry: Entry, position: Position): void {
  const market = marketOf(position.market)
  const funding = fundingOf(market, position, run.floor.board.of(market.id))
  // Nobody owes the venue: more than there is cannot be paid.
  const there = balanceOf(entry.account, market.quote)
  const paid = smaller(funding.paid, there)
  const after = credited(entry.account, market.quote, -paid, run.now)
  putAccount(run, entry, withMargin(after, position, paid))
  payHouse(run, market.quote, paid)
  putFunding(run, entry, { ...funding, paid })
  touch(run, entry, 'funding', market.quote, market.id)
  if (paid > 0n) run.poorer.push({ entry, asset: market.quote })
}

// An isolated position pays from what was set aside for it.
function withMargin(account: Entry['account'], position: Position, paid: bigint): Entry['account'] {
  if (position.marginMode !== 'isolated') return account
  const positions = new Map(account.positions)
  positions.set(positionKey(position.market, position.side), { ...position, margin: position.margin - paid })
  return { ...account, positions }
}
