import { createOwnFills, notingFills } from '../../account/own-fills.ts'
import { createReadings } from '../../account/readings.ts'
import { sizeNow } from '../../account/recall.ts'
import { noPrices } from '../../prices/market-prices.ts'
import { pricesOf } from '../prices/prices.ts'
import type { AccountTopics, TopicUpdate } from '../stream/account-feed.ts'
import type { AccountParts, CategoryAccount } from './category-account.ts'
import { type AccountAnswers, askAccount, changedAt, knownLinear, readLinear } from './linear-reading.ts'
import { readFills, readPositions, readWallet } from './linear-rows.ts'
import { createLinearSettings, type LinearSettings } from './linear-settings.ts'
import { createPlainCoins, type PlainCoins } from './plain-coins.ts'
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
  const changeSettings = createChangeSettings(restClient, settings.forget)
  const coinOf = (symbol: string): string | undefined => markets.get(symbol)?.quote
  let lastSymbol: string | undefined
  const readings = createReadings<AccountAnswers>(
    {
      ...{ fills, listen, shown, endpoint: restClient.endpoint },
      subscribe: (listener) =>
        subscribe({
          ...listener,
          onDown: () => {
            walletUpdates.forget()
            listener.onDown()
          },
        }),
    },
    {
      notingFills: {
        ...others,
        onAnswer: (symbol, order) => {
          if (markets.has(symbol)) onAnswer(symbol, order)
        },
      },
      ask: async (isUrgent) => {
        const asked = await askAccount({ restClient, plain }, coins, isUrgent)
        const filled = fills.symbol()
        if (filled === undefined) return asked
        // A wallet does not show when it changed. An exit depends on positions alone.
        const { wallets = new Map() } = asked.account ?? {}
        if (!isUrgent && !walletUpdates.isShown(wallets)) return { ...asked, changedAt: 0 }
        const { positions } = asked.answers
        return { ...asked, changedAt: await changedAt(restClient, positions, filled, isUrgent) }
      },
      mayRead: () => !restClient.endpoint.isBanned(),
      readFor: async (view, symbol, need) => {
        if (need.scope !== undefined) lastSymbol = symbol
        const priced = need.scope === undefined ? noPrices : prices.get()
        return await readLinear({ restClient, settings, view, plain, prices: priced, coinOf }, symbol, need)
      },
      knownFor: (view, symbol, scope) => {
        lastSymbol = symbol
        return knownLinear({ restClient, settings, view, plain, prices: prices.get(), coinOf }, symbol, scope)
      },
      sizeFor: sizeNow,
      refreshMore: async () => {
        if (lastSymbol !== undefined) await settings.refresh(lastSymbol)
      },
      onSettings: settings.forget,
      areBalancesApart: true,
      leave: prices.leave,
    },
  )
  return {
    ...readings,
    topics: topicsOf(settings, plain, walletUpdates),
    read: async ({ symbol }, need) => await readings.read(symbol, need),
    changeSettings: async (symbol, change) => {
      const outcome = await changeSettings(symbol, change)
      // A mode has rows of its own, which say nothing of what was filled in another; it changes while all is flat.
      if (change.positionMode !== undefined && outcome.outcome === 'changed') fills.forget()
      return outcome
    },
    // It may have been for a position mode that was changed by hand.
    onRefusal: settings.forget,
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
            'isWhole' in one ? { account: one } : { fill: one },
          )
        case 'position.linear':
          return readPositions(message).flatMap((one): TopicUpdate[] =>
            settings.learn(one) ? ['settings', { account: one.account }] : [{ account: one.account }],
          )
        case 'wallet': {
          const { coins, account } = readWallet(message)
          plain.note(coins)
          walletUpdates.note(account.wallets, account.at)
          return [{ account }]
        }
        default:
          return []
      }
    },
  }
}
