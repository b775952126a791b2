import { steadyNow } from '@tripline/kit/time/clock'
import { sharedAnswers } from '@tripline/kit/time/shared-answers'
import { add, isZero, multiply } from '@tripline/proto/decimal'
import type { Ticker } from 'ccxt'
import type {
  AccountReading,
  AccountSettings,
  Holding,
  SettingsOutcome,
} from '../../domain/account/account.ts'
import { type AccountStatement, type StatedOrder, spotStatement } from '../../domain/account/statement.ts'
import { askUntil } from '../account/ask-until.ts'
import type { OwnFills } from '../account/own-fills.ts'
import { changeFailure } from '../http/refusal.ts'
import type { Venue } from '../venue.ts'
import type { CcxtClient } from './client.ts'
import type { CcxtDialect } from './dialect.ts'
import { type CcxtPosition, decimal, type ListedMarket, readPosition, symbolOf } from './library-form.ts'

// Settings can be changed by hand at the venue.
const settingsTrustedMs = 60_000

/** One account of a venue, which is asked anew for what is read of it. */
export interface CcxtAccount extends Pick<Venue, 'changeSettings'> {
  read: (market: ListedMarket, areSettingsAsked: boolean | undefined) => Promise<AccountReading>
  statement: (orders: readonly StatedOrder[]) => Promise<AccountStatement>
  quoteOf: (symbol: string) => Promise<{ bid: string; ask: string; last: string }>
}

/** The account of a client in these markets; positions that lack our fills are asked for again. */
export function createAccount(
  { ask }: CcxtClient,
  dialect: CcxtDialect,
  { fills, markets }: { fills: OwnFills; markets: ReadonlyMap<string, ListedMarket> },
): CcxtAccount {
  const isSpot = dialect.kind === 'spot'
  const nameOf = (symbol: string): string => markets.get(symbol)?.name ?? symbol
  const names = new Set([...markets.values()].map(({ name }) => name))
  const modes = sharedAnswers<{ hedged?: unknown }>(settingsTrustedMs, steadyNow)
  const leverages = sharedAnswers<string>(settingsTrustedMs, steadyNow)
  const askLeverage = async (name: string): Promise<string> =>
    dialect.leverageIn(
      (await ask(async (library) => await library.fetchLeverage(name, { marginMode: 'cross' }))).info,
    )
  const settingsOf = async (name: string, isAsked: boolean | undefined): Promise<AccountSettings> => {
    if (isAsked === true) {
      modes.forget('')
      leverages.forget(name)
    }
    const [{ hedged }, leverage] = await Promise.all([
      modes.ask('', async () => await ask(async (library) => await library.fetchPositionMode())),
      leverages.ask(name, async () => await askLeverage(name)),
    ])
    if (hedged === true)
      throw new UnfitError('The account holds long and short apart, and orders here do not')
    return { leverage, marginMode: 'cross', positionMode: 'oneWay' }
  }
  const quoteIn = ({ bid, ask: offered, last }: Ticker) => {
    const price = decimal(last) ?? decimal(bid) ?? decimal(offered)
    if (price === undefined) throw new Error('no price')
    return { bid: decimal(bid) ?? price, ask: decimal(offered) ?? price, last: price }
  }
  const quoteOf = async (symbol: string) =>
    quoteIn(await ask(async (library) => await library.fetchTicker(nameOf(symbol))))
  const positionsOf = async (asked?: string[]): Promise<CcxtPosition[]> =>
    (await ask(async (library) => await library.fetchPositions(asked, dialect.scope)))
      .filter(({ symbol }) => names.has(symbol ?? ''))
      .map(readPosition)
  const positionOf = async (symbol: string): Promise<CcxtPosition | undefined> => {
    const positions = await askUntil(
      async () => (await positionsOf([nameOf(symbol)])).filter((position) => position.symbol === symbol),
      (rows) => rows.every(({ changedAt }) => fills.isShown(changedAt)),
    )
    const held = positions.filter(({ quantity }) => !isZero(quantity))
    if (held.some(({ marginMode }) => marginMode !== 'cross'))
      throw new UnfitError(`${symbol} is held in isolated margin, and orders here are of cross margin`)
    return held[0]
  }
  const holdingsOf = async (): Promise<Holding[]> => {
    const balances = await ask(async (library) => await library.fetchBalance())
    const { free = {}, total = {} } = balances as unknown as Record<'free' | 'total', object>
    const freeOf = new Map(Object.entries(free))
    const amounts = Object.entries(total)
    return amounts.map(([coin, amount]) => ({
      ...{ coin, total: decimal(amount) ?? '0', free: decimal(freeOf.get(coin)) ?? '0' },
    }))
  }
  const changeLeverage = async (symbol: string, leverage: string): Promise<SettingsOutcome> => {
    const [name, done] = [nameOf(symbol), `leverage of ${symbol} in cross margin: ${leverage}`]
    if ((await settingsOf(name, true)).leverage === leverage)
      return { outcome: 'unchanged', note: `${done}, as before` }
    leverages.forget(name)
    // The library takes text as well, and sends what it is given.
    await ask(async (library) => await library.setLeverage(leverage as unknown as number, name))
    return { outcome: 'changed', note: done }
  }
  return {
    quoteOf,
    read: async ({ name, market }, isAsked) => {
      const [holdings, { last, ...prices }, position, settings, mark] = await Promise.all([
        holdingsOf(),
        quoteOf(market.symbol),
        isSpot ? undefined : positionOf(market.symbol),
        isSpot ? null : settingsOf(name, isAsked),
        isSpot
          ? undefined
          : ask(async (library) => (await library.fetchMarkPrice(name, dialect.scope)).markPrice),
      ])
      const held = (coin: string) => holdings.find((one) => one.coin === coin) ?? { total: '0', free: '0' }
      const [base, quote] = [held(market.base), held(market.quote)]
      const { quantity = '0', entryPrice = null, unrealizedPnl } = position ?? {}
      return {
        ...{
          coin: market.quote,
          holdings,
          settings,
          ...prices,
          mark: decimal(mark) ?? last,
          available: quote.free,
        },
        equity: isSpot ? add(quote.total, multiply(base.total, prices.bid)) : quote.total,
        ...{ position: isSpot ? base.total : quantity, entryPrice, unrealizedPnl: unrealizedPnl ?? '0' },
      }
    },
    statement: async (orders) => {
      const holdings = (await holdingsOf()).filter(({ total }) => !isZero(total))
      if (isSpot) {
        const tickers = Object.values(await ask(async (library) => await library.fetchTickers()))
        const prices = new Map(tickers.map((one) => [symbolOf(one.symbol), decimal(one.last)]))
        const [priceOf, market] = [
          (one: string) => prices.get(one),
          (one: string) => markets.get(one)?.market,
        ]
        return spotStatement({ holdings, orders, priceOf, market })
      }
      const { total = '0', free = '0' } = holdings.find(({ coin }) => coin === 'USDT') ?? {}
      const positions = (await positionsOf()).filter(({ quantity }) => !isZero(quantity))
      return { equity: total, available: free, holdings, positions, orders }
    },
    changeSettings: async (symbol, { leverage, marginMode }) => {
      if (marginMode === 'isolated')
        return { outcome: 'refused', code: 'E404', error: 'Orders here are of cross margin alone' }
      if (leverage === undefined) return { outcome: 'unchanged', note: 'margin mode of all orders: cross' }
      try {
        return await changeLeverage(symbol, leverage)
      } catch (error) {
        return unfitness(error) ?? changeFailure(error, dialect.codes)
      }
    },
  }
}

/** Thrown where an account is set up so that our orders would not do what they say. */
class UnfitError extends Error {}

/** Returns the refusal of an account that is set up so; undefined for other errors. */
export function unfitness(error: unknown) {
  if (!(error instanceof UnfitError)) return undefined
  return { outcome: 'refused', code: 'E405', error: error.message } as const
}
