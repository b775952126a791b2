import { add, isZero, multiply } from '@tripline/proto/decimal'
import type { Balances, Ticker } from 'ccxt'
import { z } from 'zod'
import type {
  AccountReading,
  AccountSettings,
  Holding,
  SettingsOutcome,
} from '../../domain/account/account.ts'
import { type AccountStatement, type StatedOrder, spotStatement } from '../../domain/account/statement.ts'
import { askUntil } from '../account/ask-until.ts'
import type { OwnFills } from '../account/own-fills.ts'
import { Decimal, readFrom, spare, Text } from '../read/read-fields.ts'
import type { Venue } from '../venue.ts'
import type { CcxtClient } from './client.ts'
import type { CcxtDialect } from './dialect.ts'
import { causeOf, failureOf, UnfitError } from './orders.ts'
import { type CcxtPosition, type ListedMarket, readPosition, symbolOf } from './unified.ts'

// Settings can be changed by hand at the venue.
const settingsTrustedMs = 60_000

const Prices = z.object({
  ...{ bid: spare('bid', Decimal, undefined), ask: spare('ask', Decimal, undefined) },
  ...{ last: spare('last', Decimal, undefined), markPrice: spare('markPrice', Decimal, undefined) },
})
const Amounts = z.record(
  Text,
  z.object({ total: spare('total', Decimal, '0'), free: spare('free', Decimal, '0') }),
)

/** One account of a venue, which is asked anew for what is read of it. */
export interface CcxtAccount extends Pick<Venue, 'changeSettings'> {
  read: (market: ListedMarket, areSettingsAsked: boolean | undefined) => Promise<AccountReading>
  statement: (orders: readonly StatedOrder[]) => Promise<AccountStatement>
  quoteOf: (symbol: string) => Promise<{ bid: string; ask: string; last: string }>
}

/** The account of a client in these markets; positions that lack our fills are asked for again. */
export function createAccount(
  client: CcxtClient,
  dialect: CcxtDialect,
  { fills, markets }: { fills: OwnFills; markets: ReadonlyMap<string, ListedMarket> },
): CcxtAccount {
  const { ask } = client
  const { venue } = dialect
  const isSpot = dialect.kind === 'spot'
  const nameOf = (symbol: string): string => markets.get(symbol)?.name ?? symbol
  const known = new Map<string, { at: number; settings: AccountSettings }>()
  const askSettings = async (name: string): Promise<AccountSettings> => {
    const at = performance.now()
    const [{ hedged }, { longLeverage }] = await Promise.all([
      ask(async (library) => await library.fetchPositionMode(name)),
      ask(async (library) => await library.fetchLeverage(name, { marginMode: 'cross' })),
    ])
    if (hedged === true)
      throw new UnfitError('The account holds long and short apart, and orders here do not')
    const settings = { leverage: `${longLeverage}`, marginMode: 'cross', positionMode: 'oneWay' } as const
    known.set(name, { at, settings })
    return settings
  }
  const settingsOf = async (name: string, isAsked: boolean | undefined): Promise<AccountSettings> => {
    const { at = 0, settings } = known.get(name) ?? {}
    const isTrusted = isAsked !== true && performance.now() - at < settingsTrustedMs
    return isTrusted && settings !== undefined ? settings : await askSettings(name)
  }
  const pricesIn = (ticker: Ticker) => readFrom({ venue, call: 'ticker' }, Prices, ticker)
  const quoteOf = async (symbol: string) => {
    const ticker = await ask(async (library) => await library.fetchTicker(nameOf(symbol)))
    const { bid, ask: offered, last } = pricesIn(ticker)
    const price = last ?? bid ?? offered
    if (price === undefined) throw new Error('no price')
    return { bid: bid ?? price, ask: offered ?? price, last: price }
  }
  const positionsOf = async (names?: string[]): Promise<CcxtPosition[]> =>
    (await ask(async (library) => await library.fetchPositions(names))).map((row) => readPosition(row, venue))
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
    const {
      info: _row,
      timestamp: _at,
      datetime: _text,
      free: _free,
      used: _used,
      total: _total,
      ...coins
    } = (await ask(async (library) => await library.fetchBalance())) as Balances & Record<string, unknown>
    const amounts = readFrom({ venue, call: 'balance' }, Amounts, coins)
    return Object.entries(amounts).map(([coin, { total, free }]) => ({ coin, total, free }))
  }
  const changeLeverage = async (symbol: string, leverage: string): Promise<SettingsOutcome> => {
    const [name, done] = [nameOf(symbol), `leverage of ${symbol} in cross margin: ${leverage}`]
    if ((await askSettings(name)).leverage === leverage)
      return { outcome: 'unchanged', note: `${done}, as before` }
    known.delete(name)
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
        isSpot ? undefined : ask(async (library) => pricesIn(await library.fetchMarkPrice(name)).markPrice),
      ])
      const held = (coin: string) => holdings.find((one) => one.coin === coin) ?? { total: '0', free: '0' }
      const [base, quote] = [held(market.base), held(market.quote)]
      const { quantity = '0', entryPrice = null, unrealizedPnl } = position ?? {}
      return {
        ...{ coin: market.quote, holdings, settings, ...prices, mark: mark ?? last, available: quote.free },
        equity: isSpot ? add(quote.total, multiply(base.total, prices.bid)) : quote.total,
        ...{ position: isSpot ? base.total : quantity, entryPrice, unrealizedPnl: unrealizedPnl ?? '0' },
      }
    },
    statement: async (orders) => {
      const holdings = (await holdingsOf()).filter(({ total }) => !isZero(total))
      if (isSpot) {
        const tickers = Object.values(await ask(async (library) => await library.fetchTickers()))
        const prices = new Map(tickers.map((one) => [symbolOf(one.symbol), pricesIn(one).last]))
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
        return failureOf(error, client, dialect) ?? { outcome: 'unknown', cause: causeOf(error) }
      }
    },
  }
}
