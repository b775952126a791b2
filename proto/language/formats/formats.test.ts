import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { Block } from '../../alert-tree.ts'
import { isError } from '../diagnostic.ts'
import type { KnownBot } from '../label.ts'
import { noteBlocks } from '../notation.ts'
import { readMessage } from '../read-message.ts'
import { type AlertFormat, alertFormats } from './alert-format.ts'
import { foreignFormats } from './formats.ts'
import { readAlert } from './read-alert.ts'

const futures: KnownBot = { label: 'MyBot', market: 'futures' }
const spot: KnownBot = { label: 'Spot1', market: 'spot' }

/** An alert as its sender has it, and what it is in our language. */
interface Example {
  says: string
  alert: string | object
  bots?: KnownBot[]
  means: string
}

/** An alert that is not run, and its problems with their places. */
interface Refusal {
  alert: string | object
  bots?: KnownBot[]
  expected: [code: string, place: string][]
}

type Foreign = Exclude<AlertFormat, 'tripline'>

const textOf = (alert: string | object): string => (typeof alert === 'string' ? alert : JSON.stringify(alert))

const enterLong = {
  secret: 's',
  bot_uuid: 'u',
  action: 'enter_long',
  tv_exchange: 'BINANCE',
  tv_instrument: 'BTCUSDT.P',
  order: { amount: 150, currency_type: 'quote', order_type: 'market' },
}

const strategy = {
  secret: 's',
  bot_uuid: 'u',
  max_lag: '300',
  timestamp: '2026-01-31T12:00:00Z',
  trigger_price: '60000.1',
  tv_exchange: 'BYBIT',
  tv_instrument: 'BTCUSDT',
  action: 'sell',
  strategy_info: {
    market_position: 'short',
    market_position_size: '0.1',
    prev_market_position: 'flat',
    prev_market_position_size: '0',
  },
  order: { amount: '0.1', currency_type: 'base' },
}

const enterWunder = {
  code: 'Enter-Long',
  orderType: 'market',
  amountPerTradeType: 'quote',
  amountPerTrade: 150,
  symbol: 'BTCUSDT',
}

const tvHubBuy = {
  exchange: 'binance-futures',
  pair: 'BTCUSDT',
  token: 't',
  apiKey: 'MyBot',
  isBuy: true,
  units: '0.01',
}

const finandyBuy = {
  name: 'Hook 196',
  secret: 's',
  side: 'buy',
  symbol: 'BTCUSDT',
  open: { enabled: true, amountType: 'sumUsd', amount: '100' },
}

const examples: Record<Foreign, Example[]> = {
  '3commas': [
    { says: 'an entry of an indicator', alert: enterLong, means: 'MyBot(BTCUSDT.P) { market(buy, 150$) }' },
    {
      says: 'an entry with a take-profit and a stop-loss',
      alert: {
        ...enterLong,
        action: 'enter_short',
        take_profit: {
          enabled: true,
          steps: [{ order_type: 'limit', price_percent: 2, volume_percent: 100 }],
        },
        stop_loss: { enabled: true, order_type: 'market', trigger_price_percent: 1 },
      },
      means: 'MyBot(BTCUSDT.P) { market(sell, 150$); sltp(amount=100%p, sl=e1%, tp=e2%) }',
    },
    {
      says: 'protections that are switched off',
      alert: {
        ...enterLong,
        take_profit: { enabled: false, steps: [] },
        stop_loss: { enabled: false, trailing: { enabled: false } },
      },
      means: 'MyBot(BTCUSDT.P) { market(buy, 150$) }',
    },
    {
      says: 'a limit entry',
      alert: {
        ...enterLong,
        order: { amount: '0.1', currency_type: 'base', order_type: 'limit', price: '58000.5' },
      },
      means: 'MyBot(BTCUSDT.P) { limit(buy, 0.1, 58000.5) }',
    },
    {
      says: 'an exit of half the position',
      alert: { ...enterLong, action: 'exit_long', order: { amount: 50, currency_type: 'position_percent' } },
      means: 'MyBot(BTCUSDT.P) { market(sell, 50%p, reduceOnly=true) }',
    },
    {
      says: 'an exit without an amount, on spot',
      alert: { action: 'exit_long', tv_instrument: 'BTCUSDT' },
      bots: [spot],
      means: 'Spot1(BTCUSDT) { market(sell, 100%p) }',
    },
    { says: 'an order of a strategy', alert: strategy, means: 'MyBot(BTCUSDT) { market(sell, 0.1) }' },
    {
      says: 'the end of a strategy’s position',
      alert: { ...strategy, strategy_info: { ...strategy.strategy_info, market_position: 'flat' } },
      means: 'MyBot(BTCUSDT) { market(position=0) }',
    },
    {
      says: 'a strategy that turns around, in quote',
      alert: {
        ...strategy,
        strategy_info: { ...strategy.strategy_info, prev_market_position: 'long' },
        order: { amount: '100', currency_type: 'quote' },
      },
      means: 'MyBot(BTCUSDT) { market(sell, 100%p, reduceOnly=true); market(sell, 100$) }',
    },
  ],
  traderspost: [
    {
      says: 'a buy with exits',
      alert: {
        ticker: 'BTCUSDT',
        action: 'buy',
        signalPrice: 143.12,
        quantity: 1,
        takeProfit: { percent: 10 },
        stopLoss: { type: 'stop', percent: 5 },
      },
      means:
        'MyBot(BTCUSDT) { cancel; market(buy, 100%p, reduceOnly=true); market(buy, 1); sltp(amount=100%p, sl=e5%, tp=e10%) }',
    },
    {
      says: 'a sell of a strategy',
      alert: {
        ticker: 'BTCUSDT',
        action: 'sell',
        sentiment: 'short',
        quantity: '2.50',
        price: '60000',
        time: 't',
        interval: '5',
      },
      means: 'MyBot(BTCUSDT) { cancel; market(sell, 100%p, reduceOnly=true); market(sell, 2.50) }',
    },
    {
      says: 'a strategy that takes some profit',
      alert: {
        ticker: 'BTCUSDT',
        action: 'sell',
        sentiment: 'long',
        quantityType: 'percent_of_position',
        quantity: 50,
      },
      means: 'MyBot(BTCUSDT) { cancel; market(sell, 50%p, reduceOnly=true) }',
    },
    {
      says: 'a strategy that is flat',
      alert: { ticker: 'BTCUSDT', action: 'sell', sentiment: 'flat', quantity: 1 },
      means: 'MyBot(BTCUSDT) { cancel; market(position=0) }',
    },
    {
      says: 'a sell on spot',
      alert: { ticker: 'BTCUSDT', action: 'sell', quantity: 10000, quantityType: 'dollar_amount' },
      bots: [spot],
      means: 'Spot1(BTCUSDT) { cancel; market(sell, 10000$) }',
    },
    {
      says: 'a limit order in percent of equity',
      alert: {
        ticker: 'BTCUSDT',
        action: 'buy',
        orderType: 'limit',
        limitPrice: 100,
        quantityType: 'percent_of_equity',
        quantity: 10,
      },
      means: 'MyBot(BTCUSDT) { cancel; market(buy, 100%p, reduceOnly=true); limit(buy, 10%b, 100) }',
    },
    {
      says: 'a stop-limit order',
      alert: {
        ticker: 'BTCUSDT',
        action: 'sell',
        orderType: 'stop_limit',
        stopPrice: 100,
        limitPrice: 99,
        timeInForce: 'gtc',
        quantity: 1,
      },
      means:
        'MyBot(BTCUSDT) { cancel; market(sell, 100%p, reduceOnly=true); stop(sell, 1, 100, limitPrice=99, tif=gtc) }',
    },
    {
      says: 'an exit',
      alert: { ticker: 'BTCUSDT', action: 'exit' },
      means: 'MyBot(BTCUSDT) { cancel; market(position=0) }',
    },
    {
      says: 'an exit of a part',
      alert: { ticker: 'BTCUSDT', action: 'exit', quantity: 33.4, quantityType: 'percent_of_position' },
      means: 'MyBot(BTCUSDT) { cancel; market(position=66.6%p) }',
    },
    { says: 'a cancel', alert: { ticker: 'BTCUSDT', action: 'cancel' }, means: 'MyBot(BTCUSDT) { cancel }' },
    {
      says: 'an add, for one of several bots',
      alert: {
        ticker: 'BTCUSDT',
        action: 'add',
        sentiment: 'bullish',
        quantity: 1,
        bot: 'mybot',
        extras: { any: 1 },
      },
      bots: [futures, spot],
      means: 'MyBot(BTCUSDT) { market(buy, 1) }',
    },
  ],
  wundertrading: [
    { says: 'an entry', alert: enterWunder, means: 'MyBot(BTCUSDT) { market(buy, 150$) }' },
    {
      says: 'an entry with exits, sized as a fraction',
      alert: {
        ...enterWunder,
        code: 'ENTER-SHORT_Bybit_BTCUSDT_name_15M_8e34479cfe49',
        amountPerTradeType: 'percents',
        amountPerTrade: '0.125',
        takeProfits: [{ priceDeviation: 0.02, portfolio: 1 }],
        stopLoss: { priceDeviation: 0.005 },
        reduceOnly: true,
        placeConditionalOrdersOnExchange: false,
      },
      means: 'MyBot(BTCUSDT) { market(sell, 12.5%b); sltp(amount=100%p, sl=e0.5%, tp=e2%) }',
    },
    {
      says: 'prices for the exits',
      alert: {
        ...enterWunder,
        amountPerTradeType: 'contracts',
        takeProfits: [{ price: 65000, portfolio: 1.0 }],
        stopLoss: { price: 55000 },
      },
      means: 'MyBot(BTCUSDT) { market(buy, 150); sltp(amount=100%p, sl=55000, tp=65000) }',
    },
    {
      says: 'an exit of a long position',
      alert: { code: 'Exit-Long', orderType: 'market', reduceOnly: true, symbol: 'BTCUSDT' },
      means: 'MyBot(BTCUSDT) { market(sell, 100%p, reduceOnly=true) }',
    },
    {
      says: 'an exit of all',
      alert: { code: 'EXIT-ALL', symbol: 'BTCUSDT' },
      means: 'MyBot(BTCUSDT) { market(position=0) }',
    },
  ],
  tvhub: [
    {
      says: 'a market order',
      alert: tvHubBuy,
      bots: [futures, spot],
      means: 'MyBot(BTCUSDT) { market(buy, 0.01) }',
    },
    {
      says: 'a whole setup',
      alert: {
        ...tvHubBuy,
        isBuy: false,
        isSell: true,
        isMarket: true,
        unitsType: 'percent',
        unitsPercent: '10',
        units: 0,
        leverage: 5,
        marginType: 'ISOLATED',
        cancelAllOrders: true,
        closeCurrentPosition: true,
        stopLossType: 'percent',
        stopLossPercent: 1,
        targetType: 'percent',
        targetAmountInPercent: true,
        targets: [{ takeProfitPercent: 2, amount: 100 }],
        useDca: false,
        hedgeMode: false,
        alertTimestamp: 'BTCUSDT-2026-01-31T12:00:00Z',
      },
      means: `@id BTCUSDT-2026-01-31T12:00:00Z
        MyBot(BTCUSDT) {
          cancel; market(position=0); settings(leverage=5, marginMode=isolated)
          market(sell, 10%a); sltp(amount=100%p, sl=e1%, tp=e2%)
        }`,
    },
    {
      says: 'a limit order, which only makes unless set otherwise',
      alert: { ...tvHubBuy, isLimit: true, price: '58000', stopLoss: 0 },
      means: 'MyBot(BTCUSDT) { limit(buy, 0.01, 58000, postOnly=true) }',
    },
    {
      says: 'a fixed value on spot, the side from a strategy',
      alert: {
        exchange: 'binance',
        pair: 'BTCUSDT',
        bot: 'Spot1',
        apiKey: 'other',
        orderType: 'buy',
        useFixedSize: true,
        fixedQuoteSize: 100,
      },
      bots: [futures, spot],
      means: 'Spot1(BTCUSDT) { market(buy, 100$) }',
    },
    {
      says: 'a close of a part',
      alert: { pair: 'BTCUSDT', apiKey: 'MyBot', isClose: true, units: 25, unitsType: 'percentPosition' },
      means: 'MyBot(BTCUSDT) { market(position=75%p) }',
    },
    {
      says: 'a cancel',
      alert: { pair: 'BTCUSDT', apiKey: 'MyBot', cancelAll: true },
      means: 'MyBot(BTCUSDT) { cancel }',
    },
  ],
  finandy: [
    {
      says: 'a signal that opens',
      alert: finandyBuy,
      means: 'MyBot(BTCUSDT) { market(buy, 100%p, reduceOnly=true); market(buy, 100$) }',
    },
    {
      says: 'a sell with exits',
      alert: {
        ...finandyBuy,
        side: 'sell',
        positionSide: 'short',
        sl: { enabled: true, ofsMode: 'pos', ofs: '5', price: '', update: true },
        tp: { enabled: true, orders: [{ ofs: '1.0', price: '59000', piece: '100' }], update: true },
      },
      means:
        'MyBot(BTCUSDT) { market(sell, 100%p, reduceOnly=true); market(sell, 100$); sltp(amount=100%p, sl=e5%, tp=59000) }',
    },
    {
      says: 'a buy on spot',
      alert: finandyBuy,
      bots: [spot],
      means: 'Spot1(BTCUSDT) { market(buy, 100$) }',
    },
    {
      says: 'a strategy that is flat',
      alert: { name: 'Hook 196', secret: 's', side: 'sell', symbol: 'BTCUSDT', positionSide: 'flat' },
      means: 'MyBot(BTCUSDT) { market(position=0) }',
    },
  ],
  autoview: [
    {
      says: 'an alert of several commands',
      alert:
        'NC LONG | e=BINANCEFUTURES a=MyBot s=BTCUSDT c=order b=short | delay=1 | e=BINANCEFUTURES a=MyBot s=BTCUSDT c=position b=short t=market ro=1 | delay=1 | e=BINANCEFUTURES a=mybot s=btcusdt b=long q=0.25 l=10 t=market',
      bots: [futures, spot],
      means: `MyBot(BTCUSDT) {
        cancel(sell); wait(1); market(buy, 100%p, reduceOnly=true); wait(1)
        settings(leverage=10); market(buy, 0.25)
      }`,
    },
    {
      says: 'a close of a part, line by line',
      alert: 'e=bybit s=BTCUSDT c=position q=33.3% t=market\ne=bybit s=ETHUSDT c=order',
      means: 'MyBot(BTCUSDT) { market(position=66.7%p) } MyBot(ETHUSDT) { cancel }',
    },
    {
      says: 'a post-only order at a price',
      alert: 's=BTCUSDT b=sell q=0.5 t=post fp=62000.5 ro=1 delay=2',
      means: 'MyBot(BTCUSDT) { wait(2); limit(sell, 0.5, 62000.5, postOnly=true, reduceOnly=true) }',
    },
    {
      says: 'a limit order',
      alert: 's=BTC/USDT b=buy q=0.5 fp=62000 l=',
      bots: [spot],
      means: 'Spot1(BTCUSDT) { limit(buy, 0.5, 62000) }',
    },
  ],
  whook: [
    {
      says: 'a buy for collateral',
      alert: 'MyBot ETH/USDT buy 300$ x3',
      means: 'MyBot(ETHUSDT) { settings(leverage=3); market(buy, 900$) }',
    },
    {
      says: 'a short position in the coin',
      alert: 'ETH/USDT position -50 x3 mybot',
      bots: [futures, spot],
      means: 'MyBot(ETHUSDT) { settings(leverage=3); market(position=-50) }',
    },
    {
      says: 'a part of a close',
      alert: 'MyBot ETH/USDT close 33.33%',
      means: 'MyBot(ETHUSDT) { market(position=66.67%p) }',
    },
    { says: 'a close', alert: 'MyBot ETHUSDT.P close', means: 'MyBot(ETHUSDT.P) { market(position=0) }' },
    {
      says: 'a position of nothing',
      alert: 'ETHUSDT pos 0 x3',
      means: 'MyBot(ETHUSDT) { settings(leverage=3); market(position=0) }',
    },
    {
      says: 'a limit order',
      alert: 'MyBot ETH/USDT buy 300$ x3 limit:myid002:1012 reduce',
      means: 'MyBot(ETHUSDT) { settings(leverage=3); limit(buy, 900$, 1012, tag=myid002, reduceOnly=true) }',
    },
    {
      says: 'several lines and a comment',
      alert:
        '// my settings\nMyBot ETH/USDT cancel:myid002\nMyBot ETH/USDT cancel:all\nMyBot BTC/USDT:USDT sell 10% 2.5x\nMyBot BTC/USDT:USDT buy 10% nominal',
      means: `MyBot(ETHUSDT) { cancel(tag=myid002); cancel(all) }
        MyBot(BTC/USDT:USDT) { settings(leverage=2.5); market(sell, 25%b); market(buy, 10%b) }`,
    },
    {
      says: 'a change of leverage',
      alert: 'BTCUSDT changeleverage x5',
      means: 'MyBot(BTCUSDT) { settings(leverage=5) }',
    },
    {
      says: 'an amount that is a cost',
      alert: 'BTCUSDT buy 0.1 x5 collateral',
      means: 'MyBot(BTCUSDT) { settings(leverage=5); market(buy, 0.5) }',
    },
  ],
}

const named = (Object.keys(examples) as Foreign[]).flatMap((format) =>
  examples[format].map((example) => [format, example.says, example] as const),
)

test.each(named)('%s: %s is translated', (format, _, { alert, bots = [futures], means }) => {
  const text = textOf(alert)
  const { blocks, diagnostics, id } = readAlert(text, format, bots)
  const meant = readMessage(means, bots)
  expect([diagnostics, meant.diagnostics]).toEqual([[], []])
  expect(noteBlocks(blocks)).toEqual(noteBlocks(meant.blocks))
  expect(id).toBe(meant.id)
  for (const block of blocks) expect(Block.parse(JSON.parse(JSON.stringify(block)))).toEqual(block)
})

const refusals: Record<Foreign, Refusal[]> = {
  '3commas': [
    { alert: enterLong, bots: [futures, spot], expected: [['E208', '{']] },
    { alert: { ...enterLong, bot: 'Typo' }, bots: [futures, spot], expected: [['E201', 'Typo']] },
    {
      alert: { ...enterLong, action: 'disable', positions_sub_action: 'market_close' },
      expected: [
        ['E404', 'disable'],
        ['E404', 'positions_sub_action'],
      ],
    },
    { alert: { ...enterLong, action: 'enter' }, expected: [['E308', 'enter']] },
    {
      alert: { ...enterLong, action: '{{strategy.order.action}}' },
      expected: [['E108', '{{strategy.order.action}}']],
    },
    {
      alert: { ...enterLong, order: { amount: 10, currency_type: 'margin_percent' } },
      expected: [['E404', 'margin_percent']],
    },
    {
      alert: { ...enterLong, order: { amount: 'NaN', currency_type: 'quote' } },
      expected: [['E302', 'NaN']],
    },
    { alert: { ...enterLong, order: { amount: 0, currency_type: 'quote' } }, expected: [['E304', '0']] },
    { alert: { ...enterLong, order: { currency_type: 'quote' } }, expected: [['E208', '{']] },
    {
      alert: {
        ...enterLong,
        stop_loss: { trigger_price_percent: 1, trailing: { enabled: true, percent: 1 } },
      },
      expected: [['E404', 'trailing']],
    },
    {
      alert: {
        ...enterLong,
        take_profit: {
          steps: [
            { price_percent: 1, volume_percent: 50 },
            { price_percent: 2, volume_percent: 50 },
          ],
        },
      },
      expected: [
        ['E404', '50'],
        ['E404', '{"price_percent":2,"volume_percent":50}'],
      ],
    },
    { alert: { ...enterLong, take_proft: {} }, expected: [['E205', 'take_proft']] },
    { alert: { ...strategy, timestamp: 'now' }, expected: [['E308', 'now']] },
    { alert: 'MyBot(BTCUSDT) { market(buy, 1) }', expected: [['E101', 'M']] },
  ],
  traderspost: [
    { alert: { ticker: 'BTCUSDT', action: 'buy' }, expected: [['E208', '{']] },
    { alert: { ticker: 'BTCUSDT', action: 'add', quantity: 1 }, expected: [['E404', 'add']] },
    {
      alert: { ticker: 'BTCUSDT', action: 'buy', quantity: 1, quantityType: 'risk_dollar_amount' },
      expected: [['E404', 'risk_dollar_amount']],
    },
    {
      alert: { ticker: 'BTCUSDT', action: 'buy', quantity: 1, orderType: 'trailing_stop', trailPercent: 1 },
      expected: [
        ['E404', 'buy'],
        ['E404', 'trailPercent'],
      ],
    },
    {
      alert: { ticker: 'BTCUSDT', action: 'buy', quantity: 1, orderType: 'limit' },
      expected: [
        ['E208', '{'],
        ['E208', 'buy'],
      ],
    },
    {
      alert: { ticker: 'BTCUSDT', action: 'buy', quantity: 1, optionType: 'call' },
      expected: [['E404', 'optionType']],
    },
    {
      alert: { ticker: 'BTCUSDT', action: 'buy', quantity: 1, timeInForce: 'day' },
      expected: [['E308', 'day']],
    },
    {
      alert: {
        ticker: 'BTCUSDT',
        action: 'buy',
        quantity: 1,
        orderType: 'limit',
        limitPrice: 1,
        stopLoss: { percent: 5 },
      },
      expected: [['E404', '5']],
    },
  ],
  wundertrading: [
    { alert: { ...enterWunder, symbol: undefined }, expected: [['E208', '{']] },
    { alert: { ...enterWunder, code: 'Enter-Longer' }, expected: [['E308', 'Enter-Longer']] },
    { alert: { ...enterWunder, leverage: 5 }, expected: [['E404', 'leverage']] },
    {
      alert: { ...enterWunder, orderType: 'limit', price: 5, timeToLive: 5 },
      expected: [
        ['E404', 'limit'],
        ['E404', 'price'],
        ['E404', 'timeToLive'],
      ],
    },
    {
      alert: { ...enterWunder, moveToBreakeven: { activationPrice: 1, executePrice: 2 } },
      expected: [['E404', 'moveToBreakeven']],
    },
  ],
  tvhub: [
    { alert: { ...tvHubBuy, apiKey: 'Other' }, expected: [['E201', 'Other']] },
    { alert: { ...tvHubBuy, exchange: 'bybit-spot' }, expected: [['E403', 'bybit-spot']] },
    { alert: { ...tvHubBuy, isSell: true }, expected: [['E209', 'true']] },
    { alert: { ...tvHubBuy, isClose: true }, expected: [['E209', 'true']] },
    { alert: { ...tvHubBuy, isBuy: false }, expected: [['E208', '{']] },
    { alert: { ...tvHubBuy, unitsType: 'risk' }, expected: [['E404', 'risk']] },
    {
      alert: { ...tvHubBuy, useTrailingStopLoss: true, trailingStopLossPercent: 1 },
      expected: [
        ['E404', 'useTrailingStopLoss'],
        ['E404', 'trailingStopLossPercent'],
      ],
    },
    { alert: { ...tvHubBuy, useDca: true }, expected: [['E404', 'useDca']] },
    { alert: { ...tvHubBuy, stopLoss: 55000 }, expected: [['E208', '{']] },
  ],
  finandy: [
    {
      alert: { ...finandyBuy, open: undefined },
      expected: [
        ['E208', '{'],
        ['E208', '{'],
      ],
    },
    { alert: { ...finandyBuy, side: 'sell' }, bots: [spot], expected: [['E404', 'sell']] },
    { alert: { ...finandyBuy, positionSide: 'short' }, expected: [['E404', 'short']] },
    { alert: { ...finandyBuy, dca: { amountType: 'sumUsd', amount: '6' } }, expected: [['E404', 'dca']] },
    { alert: { ...finandyBuy, close: { action: 'decrease' } }, expected: [['E404', 'close']] },
    {
      alert: { ...finandyBuy, open: { amountType: 'posAmountPct', amount: '1' } },
      expected: [['E308', 'posAmountPct']],
    },
  ],
  autoview: [
    { alert: 'Golden cross', expected: [['E101', '']] },
    { alert: 's=BTCUSDT b=long q=10% t=market', expected: [['E404', '10%']] },
    {
      alert: 's=BTCUSDT b=long q=1 t=market sl=-1% & tp=2%',
      expected: [
        ['E404', 'sl=-1%'],
        ['E205', '&'],
        ['E404', 'tp=2%'],
      ],
    },
    { alert: 's=BTCUSDT b=long q=1', expected: [['E208', 's=BTCUSDT b=long q=1']] },
    { alert: 's=BTCUSDT b=up q=1 t=market', expected: [['E308', 'up']] },
    {
      alert: 's={{ticker}} b=long q=1 t=market',
      expected: [['E108', '{{ticker}}']],
    },
    { alert: 's=BTCUSDT b=long b=short q=1 t=market', expected: [['E207', 'b=short']] },
    { alert: 's=BTCUSDT b=long q=1 t=market zz=1', expected: [['E205', 'zz=1']] },
    { alert: 'b=long q=1 t=market', expected: [['E208', 'b=long q=1 t=market']] },
    { alert: 'a=x s=BTCUSDT b=long q=1 t=market', expected: [['E201', 'x']] },
  ],
  whook: [
    { alert: '// nothing', expected: [['E101', '']] },
    { alert: 'Kucoin ETH/USDT buy 300$ x3', expected: [['E201', 'Kucoin']] },
    { alert: 'ETH/USDT buy 300$', expected: [['E208', '300$']] },
    { alert: 'ETH/USDT buy 5@ x3', expected: [['E404', '5@']] },
    { alert: 'ETH/USDT buy x3', expected: [['E208', 'buy']] },
    { alert: 'ETH/USDT buy sell 1', expected: [['E207', 'sell']] },
    { alert: 'ETH/USDT pos nan x3', expected: [['E302', 'nan']] },
    { alert: 'ETH/USDT close 1', expected: [['E404', '1']] },
    { alert: 'buy 1 force_usdt', expected: [['E404', 'force_usdt']] },
    { alert: 'ETH/USDT buy 1 limit:1012', expected: [['E208', 'limit:1012']] },
    { alert: 'MyBot ETH/USDT buy 300$ x3 limit:my.id:1012', expected: [['E312', 'my.id']] },
  ],
}

const refusedAlerts = (Object.keys(refusals) as Foreign[]).flatMap((format) =>
  refusals[format].map((refusal) => [format, textOf(refusal.alert), refusal] as const),
)

test.each(refusedAlerts)(
  '%s: %s is refused, with the reason',
  (format, text, { bots = [futures], expected }) => {
    const { blocks, diagnostics } = readAlert(text, format, bots)
    const found = diagnostics.map(({ code, span }) => [
      code,
      text.slice(span.offset, span.offset + span.length),
    ])
    expect({ blocks, found: found.sort() }).toEqual({ blocks: [], found: [...expected].sort() })
  },
)

describe('every format', () => {
  const formats = alertFormats.filter((format) => format !== 'tripline')

  test.each(formats)('%s is called by its own name, and names its sources', (format) => {
    expect(foreignFormats[format].name).toBe(format)
    expect(foreignFormats[format].sources.length).toBeGreaterThan(0)
  })

  test.each(formats)('%s answers any alert, and every place that it reports lies in the text', (format) => {
    const pieces = [
      ...Object.keys(foreignFormats[format].fields).flatMap((path) => path.split(/\.|\[\]/)),
      ...examples[format].map(({ alert }) => textOf(alert)),
      ...'{}[]":, \n|=$%@1.-',
      ...['"buy"', 'true', 'null', '{{x}}', 'MyBot', 'BTCUSDT', '\u200b', '\u2212'],
    ]
    const change = fc.record({ at: fc.nat(200), length: fc.nat(8), by: fc.constantFrom('', ...pieces) })
    const mutated = fc
      .tuple(fc.constantFrom(...examples[format]), fc.array(change, { maxLength: 4 }))
      .map(([{ alert }, changes]) =>
        changes.reduce(
          (text, { at, length, by }) => text.slice(0, at) + by + text.slice(at + length),
          textOf(alert),
        ),
      )
    const any = fc.oneof(
      mutated,
      fc.array(fc.constantFrom(...pieces), { maxLength: 20 }).map((parts) => parts.join(' ')),
    )
    fc.assert(
      fc.property(any, (text) => {
        const { blocks, diagnostics } = readAlert(text, format, [futures, spot])
        expect(diagnostics.some(isError)).toBe(blocks.length === 0)
        const spans = [...blocks.map(({ span }) => span), ...diagnostics.map(({ span }) => span)]
        expect(
          spans.filter(({ offset, length }) => offset < 0 || length < 0 || offset + length > text.length),
        ).toEqual([])
      }),
      { numRuns: 500 },
    )
  })
})

/** An alert with one more field, which may lie in an object. */
function withField(alert: object, path: string, value: unknown): object {
  const [key = '', ...rest] = path.split('.')
  const inner = (alert as Record<string, unknown>)[key]
  const group = typeof inner === 'object' && inner !== null ? inner : {}
  return { ...alert, [key]: rest.length === 0 ? value : withField(group, rest.join('.'), value) }
}

describe('nothing that may change the trade is dropped', () => {
  const json = named.flatMap(([format, says, { alert, bots = [futures] }]) =>
    typeof alert === 'string' ? [] : [{ format, says, alert, bots }],
  )
  const codesOf = (alert: object, format: Foreign, bots: KnownBot[]) =>
    readAlert(JSON.stringify(alert), format, bots).diagnostics.map(({ code }) => code)

  test.each(json)('$format: $says, with a field that is not known', ({ format, alert, bots }) => {
    expect(codesOf(withField(alert, 'surprise', 1), format, bots)).toEqual(['E205'])
  })

  const refusedPaths = json
    .filter(({ format }, index) => json.findIndex((other) => other.format === format) === index)
    .flatMap((example) =>
      Object.entries(foreignFormats[example.format].fields)
        .filter(([path, { use }]) => use === 'refused' && !path.includes('[]'))
        .map(([path]) => ({ ...example, path })),
    )

  test.each(refusedPaths)('$format: $path', ({ format, alert, bots, path }) => {
    expect(codesOf(withField(alert, path, '1'), format, bots)).toContain('E404')
    for (const off of [false, 0, '', null]) {
      expect(codesOf(withField(alert, path, off), format, bots)).toEqual([])
    }
  })

  const refusedKeys = Object.entries(foreignFormats.autoview.fields).filter(
    ([, { use }]) => use === 'refused',
  )

  test.each(refusedKeys)('autoview: %s', (key) => {
    const { diagnostics } = readAlert(`s=BTCUSDT b=long q=1 t=market ${key}=1`, 'autoview', [futures])
    expect(diagnostics.map(({ code }) => code)).toEqual(['E404'])
  })
})

test('an alert says until when it may be run', () => {
  expect(readAlert(textOf(strategy), '3commas', [futures]).validUntil).toBe(
    Date.parse('2026-01-31T12:05:00Z'),
  )
  expect(readAlert(textOf(enterLong), '3commas', [futures]).validUntil).toBeUndefined()
})
