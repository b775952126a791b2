import type { AccountReading } from '../../domain/account/account.ts'
import type { ReadingNeed } from '../../domain/account/reading-scope.ts'
import { keepView, keptForOrders } from '../account/keep-view.ts'
import { createOwnFills, notingFills } from '../account/own-fills.ts'
import { isFlatNow, sizeNow } from '../account/recall.ts'
import { noPrices } from '../prices/market-prices.ts'
import type { AccountTopics, AccountUpdate } from './account-feed.ts'
import type { AccountParts, CategoryAccount } from './category-account.ts'
import { askAccount, changedAt, knownLinear, readLinear } from './linear-reading.ts'
import { readFills, readPositions, readWallet } from './linear-rows.ts'
import { createLinearSettings, type LinearSettings } from './linear-settings.ts'
import { createPlainCoins, type PlainCoins } from './plain-coins.ts'
import { pricesOf } from './prices.ts'
import { createChangeSettings } from './settings.ts'
import { createWalletUpdates, type WalletUpdates } from './wallet-updates.ts'

/** Opens one account in linear markets, which is known from one command to the next. */
export function openLinearAccount(parts: AccountParts): CategoryAccount {
  const { options, restClient, markets, subscribe, listen, shown } = parts
  const settings = createLinearSettings(restClient)
  const plain = createPlainCoins()
  const walletUpdates = createWalletUpdates(restClient.endpoint.now)
  const coins = [...new Set([...markets.values()].map(({ quote }) => quote))]
  const prices = pricesOf('linear', restClient.endpoint, options)
  const fills = createOwnFills(restClient.endpoint.now)
  const { onAnswer, ...others } = notingFills(fills)
  const stopListening = listen({
    ...others,
    onAnswer: (symbol, order) => {
      if (markets.has(symbol)) onAnswer(symbol, order)
    },
  })
  const changeSettings = createChangeSettings(restClient, settings.forget)
  let lastSymbol: string | undefined
  let isStopped = false
  const view = keepView({
    room: restClient.endpoint.slots,
    subscribe: (listener) =>
      subscribe({
        ...listener,
        onDown: () => {
          walletUpdates.forget()
          listener.onDown()
        },
      }),
    listen,
    shown,
    isShown: fills.isShown,
    ask: async (isUrgent) => {
      const asked = await askAccount({ restClient, plain }, coins, isUrgent)
      const filled = fills.symbol()
      if (filled === undefined) return asked
      // A wallet says nothing of when it changed. An exit hangs on positions alone.
      const { wallets = new Map() } = asked.account ?? {}
      if (!isUrgent && !walletUpdates.isShown(wallets)) return { ...asked, changedAt: 0 }
      const { positions } = asked.answers
      return { ...asked, changedAt: await changedAt(restClient, positions, filled, isUrgent) }
    },
    venueNow: restClient.endpoint.now,
    mayRead: () =>
      !restClient.endpoint.isBanned() && restClient.endpoint.usage.limiter.left() > keptForOrders,
    refreshMore: async () => {
      if (lastSymbol !== undefined) await settings.refresh(lastSymbol, false)
    },
    onSettings: settings.forget,
    areBalancesApart: true,
  })
  const coinOf = (symbol: string): string | undefined => markets.get(symbol)?.quote
  const read = async (symbol: string, need: ReadingNeed): Promise<AccountReading> => {
    // A command that was on its way when its client ended leaves nothing behind it.
    const scope = isStopped ? undefined : need.scope
    if (scope !== undefined) lastSymbol = symbol
    const priced = scope === undefined ? noPrices : prices.get()
    const sources = { restClient, settings, view, plain, prices: priced, coinOf }
    return await readLinear(sources, symbol, { ...need, scope })
  }
  return {
    topics: topicsOf(settings, plain, walletUpdates),
    read: async ({ symbol }, need) => await read(symbol, need),
    knownNow: (symbol, scope) => {
      if (isStopped) return undefined
      lastSymbol = symbol
      return knownLinear({ restClient, settings, view, plain, prices: prices.get(), coinOf }, symbol, scope)
    },
    positionNow: (symbol, side) => (isStopped ? undefined : sizeNow(view, symbol, side)),
    isFlatNow: (symbol) => !isStopped && isFlatNow(view, symbol),
    changeSettings: async (symbol, change) => {
      const outcome = await changeSettings(symbol, change)
      // A mode has rows of its own, which say nothing of what was filled in another; it changes while all is flat.
      if (change.positionMode !== undefined && outcome.outcome === 'changed') fills.forget()
      return outcome
    },
    // It may have been for a position mode that was changed by hand.
    onRefusal: settings.forget,
    stop: () => {
      isStopped = true
      view.stop()
      stopListening()
      prices.leave()
    },
  }
}

function topicsOf(settings: LinearSettings, plain: PlainCoins, walletUpdates: WalletUpdates): AccountTopics {
  return {
    // One of all categories is not to be asked for beside one of one category.
    subscriptions: [['execution.linear', 'position.linear'], ['wallet']],
    read: (message) => {
      switch (message.topic) {
        case 'execution.linear':
          return readFills(message, settings.modeOf).map((one) =>
            'isWhole' in one ? { news: one } : { fill: one },
          )
        case 'position.linear':
          return readPositions(message).flatMap((one): AccountUpdate[] =>
            settings.learn(one) ? ['settings', { news: one.news }] : [{ news: one.news }],
          )
        case 'wallet': {
          const { coins, news } = readWallet(message)
          plain.note(coins)
          walletUpdates.note(news.wallets, news.at)
          return [{ news }]
        }
        default:
          return []
      }
    },
  }
}
