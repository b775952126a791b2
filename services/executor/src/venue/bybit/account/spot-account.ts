import { askUntil } from '../../account/ask-until.ts'
import { openTimedStream } from '../../account/timed-stream.ts'
import { urgencyOf } from '../../http/rest-client.ts'
import { pricesOf } from '../prices/prices.ts'
import type { AccountParts, CategoryAccount } from './category-account.ts'
import { spotSymbolOf } from './category-updates.ts'
import { askWallet } from './linear-reading.ts'
import { readWallet, walletsOf } from './linear-rows.ts'
import { createOwedCoins } from './owed-coins.ts'
import { readCoins, readSpotAccount } from './read-account.ts'
import { createWalletUpdates } from './wallet-updates.ts'

/**
 * Opens one account in spot markets: its wallet, which is asked for, and compared with the stream's reports, and our
 * own fills that it does not have yet. The price alone is known without asking.
 */
export function openSpotAccount({
  options,
  restClient,
  markets,
  listen,
  shown,
  subscribe,
}: AccountParts): CategoryAccount {
  const walletUpdates = createWalletUpdates(restClient.endpoint.now)
  const owedCoins = createOwedCoins(restClient.endpoint.now)
  const stopListening = listen({
    ...{ onSending: ignore, onRefusal: ignore },
    onAnswer: (name, order) => {
      const market = markets.get(spotSymbolOf(name) ?? '')
      if (market !== undefined) owedCoins.noteFill(market, order)
    },
  })
  const isShown = (balances: ReadonlyMap<string, string>): boolean =>
    walletUpdates.isShown(balances) && owedCoins.isShown(balances)
  const listener = {
    ...{ onLive: ignore, onAccount: ignore, onFill: ignore, onOrder: ignore, onSettings: ignore },
    onDown: walletUpdates.forget,
  }
  const timedStream = openTimedStream({
    room: restClient.endpoint.slots,
    follow: () => subscribe(listener).stop,
    isLive: () => false,
  })
  const prices = pricesOf('spot', restClient.endpoint, options)
  let isStopped = false
  return {
    topics: {
      subscriptions: [['wallet']],
      read: (message) => {
        if (message.topic === 'wallet') {
          const { account } = readWallet(message)
          walletUpdates.note(account.wallets, account.at)
          owedCoins.noteReport(account.at)
        }
        return []
      },
    },
    read: async (market, { isUrgent }) => {
      const { symbol } = market
      timedStream.use()
      await shown()
      const wallet = async (): Promise<unknown> => await askWallet(restClient, isUrgent)
      const answers = await Promise.all([
        askUntil(wallet, (answer) => isShown(walletsOf(readCoins(answer)))),
        restClient.get('/v5/market/tickers', { category: 'spot', symbol }, urgencyOf(isUrgent)),
      ])
      return readSpotAccount(market, answers)
    },
    knownNow: (symbol) => {
      if (isStopped) return undefined
      prices.get().follow(symbol)
      const book = prices.get().book(symbol)
      return book && { prices: { ...book, mark: book.bid, bandPrice: null } }
    },
    changeSettings: async () => ({
      outcome: 'refused',
      code: 'E404',
      error: 'Spot has no leverage, margin mode or position mode',
    }),
    stop: () => {
      isStopped = true
      stopListening()
      timedStream.stop()
      prices.leave()
    },
  }
}

const ignore = (): void => undefined
