import { add, floorToStep, isZero, multiply, plain, subtract } from '@tripline/proto/decimal'
import { asRead, type Holding } from './account.ts'
import { type AccountBase, type AccountView, isQuiet, isSettled, type ViewedPosition } from './view.ts'

// An update that a stream omits as it dies without a sign is overlooked for no longer than this.
const trustedMs = 60_000

/** As fine as venues print money. */
const walletStep = '0.00000001'

/** Present holdings of an account, as good as if it was asked. */
export type ViewedAccount = Pick<AccountBase, 'wallets' | 'positions'>

/** The positions of a symbol, where nothing is known that they may be older than; undefined where they are to be read. */
export function viewedPositions(
  view: AccountView,
  symbol: string,
  now: number,
): readonly ViewedPosition[] | undefined {
  if (!isCurrent(view, now)) return undefined
  if ([...view.owed.values()].some((order) => order.symbol === symbol)) return undefined
  const known = [...view.positions.values()].filter(({ reported }) => reported.symbol === symbol)
  return known.every(isSettled) ? known.map(({ reported }) => reported) : undefined
}

/** Every position and balance, where nothing is known that they may be older than; undefined where they are to be read. */
export function viewedAccount(view: AccountView, now: number): ViewedAccount | undefined {
  if (!isCurrent(view, now) || view.owed.size > 0) return undefined
  const known = [...view.positions.values()]
  return known.every(isSettled)
    ? { wallets: view.wallets, positions: known.map(({ reported }) => reported) }
    : undefined
}

/**
 * The same of a venue that reports balances separately from what changed them, and in no order: they were reported after
 * the last execution, and the other reports had a moment's time to come.
 */
export function viewedAccountApart(view: AccountView, now: number): ViewedAccount | undefined {
  const isReported = view.walletsAt >= view.filledAt
  return isReported && isQuiet(view, now) ? viewedAccount(view, now) : undefined
}

/** Returns the amount of every coin, and its free part; undefined where it is to be read. */
export function viewedHoldings(view: AccountView, now: number): readonly Holding[] | undefined {
  if (view.awaited.answered.size > 0) return undefined
  return viewedAccount(view, now)?.positions.map(({ symbol, quantity, free = '0' }) => ({
    coin: symbol,
    total: quantity,
    free,
  }))
}

/** Returns a position's profit or loss at this mark. */
export function profitAt({ quantity, entryPrice }: ViewedPosition, mark: string): string {
  return multiply(quantity, subtract(mark, asRead(entryPrice)))
}

/** Returns a wallet's worth with its positions at their marks; undefined where a mark is missing. */
export function equityAt(
  wallet: string,
  positions: readonly ViewedPosition[],
  markOf: (symbol: string) => string | undefined,
): string | undefined {
  let worth = wallet
  for (const position of positions.filter(({ quantity }) => !isZero(quantity))) {
    const mark = markOf(position.symbol)
    if (mark === undefined) return undefined
    worth = add(worth, profitAt(position, mark))
  }
  return plain(floorToStep(worth, walletStep))
}

function isCurrent({ isLive, base }: AccountView, now: number): boolean {
  return isLive && base !== undefined && now - base.askedAt <= trustedMs
}
