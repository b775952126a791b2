import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { absolute, divide, floorToStep, isGreater, multiply, nearestToStep } from '@tripline/proto/decimal'
import { formatBlocks } from '@tripline/proto/language/format-blocks'
import { readAlert } from '@tripline/proto/language/formats/read-alert'
import { commandReference } from '@tripline/proto/language/reference'
import { rootDir } from '@tripline/testkit/paths'
import { buildRig, type Rig } from '../../services/executor/test/rig.ts'
import { quickActionsOf } from '../../web/src/features/terminal/templates.ts'
import { exampleMessages } from '../../web/src/features/webhook/example-messages.ts'
import { landingTexts } from '../../web/src/landing/landing-texts.ts'

type Market = 'futures' | 'spot'

/** Position and open orders behind a message that ran from flat; sizes above 0.05 as a share of the equity. */
interface Left {
  holds: readonly string[]
  rests: readonly string[]
}

const equity = '10000'
const price = '60000'
const symbols = ['BTCUSDT', 'ETHUSDT']
const nothing: Left = { holds: [], rests: [] }

function left(holds: string, ...rests: string[]): Left {
  return { holds: holds === '' ? [] : holds.split(', '), rests }
}

/** Every example of the pages, on futures, with its white space made one. */
const inDocs: Record<string, Left> = {
  'Golden cross on the daily chart! MyBot(BTCUSDT.P) { # whatever is open, close it market(position=0); market(buy, 10%); balance } #crypto':
    left('BTCUSDT 0.016'),
  'market(buy, 0.01) market(sell, 50%p, reduceOnly=true) market(position=-250$)': left('BTCUSDT -0.004'),
  'market(buy, 0.01)': left('BTCUSDT 0.01'),
  'market(sell, 50%p, reduceOnly=true)': nothing,
  'market(position=-250$)': left('BTCUSDT -0.004'),
  'limit(buy, 0.01, 58000) limit(buy, 50%, offset=1%) market(buy, 0.01); limit(sell, 100%p, e2%, postOnly=true)':
    left('BTCUSDT 0.01', 'buy 0.010 at 58000', 'buy 50% at 59399.9', 'sell 0.010 at 61200.2 to reduce'),
  'limit(buy, 0.01, 58000)': left('', 'buy 0.010 at 58000'),
  'limit(buy, 50%, offset=1%)': left('', 'buy 50% at 59399.9'),
  'market(buy, 0.01); limit(sell, 100%p, e2%, postOnly=true)': left(
    'BTCUSDT 0.01',
    'sell 0.010 at 61200.2 to reduce',
  ),
  'stop(buy, 0.01, 62000) market(buy, 0.01); stop(sell, 100%, 58000) market(buy, 0.01); stopLimit(sell, 100%p, e2%, limitOffset=0.1%) market(buy, 0.01); stopMarket(position=0, offset=3%, trigger=last)':
    left(
      'BTCUSDT 0.03',
      'buy 0.010 at 62000',
      'sell 0.010 at 58000 to reduce',
      'sell 0.020 at 58800.1 to reduce',
      'sell 0.030 at 58199.9 to reduce',
    ),
  'stop(buy, 0.01, 62000)': left('', 'buy 0.010 at 62000'),
  'market(buy, 0.01); stop(sell, 100%, 58000)': left('BTCUSDT 0.01', 'sell 0.010 at 58000 to reduce'),
  'market(buy, 0.01); stopLimit(sell, 100%p, e2%, limitOffset=0.1%)': left(
    'BTCUSDT 0.01',
    'sell 0.010 at 58800.1 to reduce',
  ),
  'market(buy, 0.01); stopMarket(position=0, offset=3%, trigger=last)': left(
    'BTCUSDT 0.01',
    'sell 0.010 at 58199.9 to reduce',
  ),
  'market(buy, 0.01); stopOrTakeProfit(amount=100%p, sl=2%, tp=4%) market(buy, 0.01); sltp(sell, 100%p, 58000, 62000, slTrigger=mark)':
    left(
      'BTCUSDT 0.02',
      'sell 0.010 at 58799.9 to reduce',
      'sell 0.010 at 62400.1 to reduce',
      'sell 0.020 at 58000 to reduce',
      'sell 0.020 at 62000 to reduce',
    ),
  'market(buy, 0.01); stopOrTakeProfit(amount=100%p, sl=2%, tp=4%)': left(
    'BTCUSDT 0.01',
    'sell 0.010 at 58799.9 to reduce',
    'sell 0.010 at 62400.1 to reduce',
  ),
  'market(buy, 0.01); sltp(sell, 100%p, 58000, 62000, slTrigger=mark)': left(
    'BTCUSDT 0.01',
    'sell 0.010 at 58000 to reduce',
    'sell 0.010 at 62000 to reduce',
  ),
  'market(buy, 0.01); oco { stop(sell, 100%, 58000); limit(sell, 100%, 62000) } market(buy, 0.01); oco(tag=exit1, mode=reduce) { stop(sell, 100%p, e1%); limit(sell, 50%p, e2%) }':
    left(
      'BTCUSDT 0.02',
      'sell 0.010 at 58000 to reduce',
      'sell 0.010 at 61200.2 to reduce',
      'sell 0.010 at 62000 to reduce',
      'sell 0.020 at 59400.1 to reduce',
    ),
  'market(buy, 0.01); oco { stop(sell, 100%, 58000); limit(sell, 100%, 62000) }': left(
    'BTCUSDT 0.01',
    'sell 0.010 at 58000 to reduce',
    'sell 0.010 at 62000 to reduce',
  ),
  'market(buy, 0.01); oco(tag=exit1, mode=reduce) { stop(sell, 100%p, e1%); limit(sell, 50%p, e2%) }': left(
    'BTCUSDT 0.01',
    'sell 0.005 at 61200.2 to reduce',
    'sell 0.010 at 59400.1 to reduce',
  ),
  'cancel cancel(buy) cancel(tagged, exit1) cancel(tag=exit1) cancel(order=12345)': nothing,
  cancel: nothing,
  'cancel(buy)': nothing,
  'cancel(tagged, exit1)': nothing,
  'cancel(tag=exit1)': nothing,
  'cancel(order=12345)': nothing,
  'balance balance(USDT)': nothing,
  balance: nothing,
  'balance(USDT)': nothing,
  'wait(500ms) wait(1.5s)': nothing,
  'wait(500ms)': nothing,
  'wait(1.5s)': nothing,
  'exchangeSettings(leverage=10) settings(20x, marginMode=isolated) settings(cross)': nothing,
  'exchangeSettings(leverage=10)': nothing,
  'settings(20x, marginMode=isolated)': nothing,
  'settings(cross)': nothing,
  'MyBot(BTCUSDT) { market(buy, 100%) } MyBot(ETHUSDT) { market(position=-250$) }': left(
    'BTCUSDT 100%, ETHUSDT -0.004',
  ),
  'market(buy, 0.01); oco(tag=exit1) { stop(sell, 100%, 58000, trigger=mark); limit(sell, 100%, offset=e2%) }':
    left('BTCUSDT 0.01', 'sell 0.010 at 58000 to reduce', 'sell 0.010 at 61200.2 to reduce'),
  '@id breakout-2026-11-21T12:00 MyBot(BTCUSDT) { market(buy, 10%b) }': left('BTCUSDT 0.016'),
  'MyBot(BTCUSDT.P) { market(buy, 10%) oneCancelsOther { stopOrder(sell, 100%, 58000) limit(sell, 100%, 62000.5) } }':
    left('BTCUSDT 0.016', 'sell 0.016 at 58000 to reduce', 'sell 0.016 at 62000.5 to reduce'),
}

/** Every message that the web app offers, for bots of each kind. */
const onScreens: Record<Market, Record<string, Left>> = {
  futures: {
    'exchangeSettings(leverage=10) market(buy, 0.01) stopOrTakeProfit(amount=100%p, sl=1%, tp=2%)': left(
      'BTCUSDT 0.01',
      'sell 0.010 at 59399.9 to reduce',
      'sell 0.010 at 61200.1 to reduce',
    ),
    'market(sell, 0.01)': left('BTCUSDT -0.01'),
    'market(position=0)': nothing,
    'balance()': nothing,
    'market(buy, 10%b)': left('BTCUSDT 0.016'),
    'market(buy, 10%b) stopOrTakeProfit(amount=100%p, sl=1%, tp=2%)': left(
      'BTCUSDT 0.016',
      'sell 0.016 at 59399.9 to reduce',
      'sell 0.016 at 61200.1 to reduce',
    ),
    'market(buy, 10%b) oco { stop(sell, 100%, -1%) limit(sell, 100%, +2%) }': left(
      'BTCUSDT 0.016',
      'sell 0.016 at 59399.9 to reduce',
      'sell 0.016 at 61200.2 to reduce',
    ),
    'market(buy, 0.01) sltp(amount=100%p, sl=1%, tp=2%)': left(
      'BTCUSDT 0.01',
      'sell 0.010 at 59399.9 to reduce',
      'sell 0.010 at 61200.1 to reduce',
    ),
  },
  spot: {
    'market(position=0)': nothing,
    'balance()': nothing,
    'market(buy, 0.01) stopOrTakeProfit(sell, 100%, sl=1%, tp=2%)': left(
      'BTC 0.00999',
      'sell 0.00999 at 59399.9',
      'sell 0.00999 at 61200.1',
    ),
    'market(buy, 10%b)': left('BTC 0.01664'),
    'market(buy, 10%b) stopOrTakeProfit(sell, 100%, sl=1%, tp=2%)': left(
      'BTC 0.01664',
      'sell 0.01664 at 59399.9',
      'sell 0.01664 at 61200.1',
    ),
    'market(buy, 10%b) oco { stop(sell, 100%, -1%) limit(sell, 100%, +2%) }': left(
      'BTC 0.01664',
      'sell 0.01664 at 59399.9',
      'sell 0.01664 at 61200.11',
    ),
    'market(buy, 0.01) sltp(amount=100%p, sl=1%, tp=2%)': left(
      'BTC 0.00999',
      'sell 0.00999 at 59399.9',
      'sell 0.00999 at 61200.1',
    ),
  },
}

function messagesOfDocs(): string[] {
  const blocks = [...page('commands.md').matchAll(/^```alert\n(.*?)^```/gms)].map(([, text = '']) => text)
  const [, json = ''] = /^```json\n(.*?)^```/ms.exec(page('alert-formats.md')) ?? []
  const examples = Object.values(commandReference).flatMap((reference) => reference.examples)
  return [
    ...blocks,
    ...examples.map((example) => `MyBot(BTCUSDT) { ${example} }`),
    formatBlocks(readAlert(json, 'tripline', [{ label: 'MyBot', market: 'futures' }]).blocks),
  ]
}

function messagesOfScreens(market: Market): string[] {
  const offered = [
    ...quickActionsOf({ label: 'MyBot', market }),
    ...exampleMessages({ label: 'MyBot', market }),
  ]
  return [...offered.map(({ message }) => message), landingTexts.example.message]
}

function page(name: string): string {
  return readFileSync(path.join(rootDir, 'docs', name), 'utf8')
}

/** The key of a message: its text without white space that says nothing, and without the usual bot and symbol. */
function keyOf(message: string): string {
  const text = message.replaceAll(/\s+/g, ' ').trim()
  const [, commands = text] = /^MyBot\(BTCUSDT\) \{ (.*) \}$/.exec(text) ?? []
  return commands.includes('MyBot(') ? text : commands
}

describe.each(['futures', 'spot'] as const)('on %s', (market) => {
  const shown = [...(market === 'futures' ? messagesOfDocs() : []), ...messagesOfScreens(market)]
  const byKey = new Map(shown.map((message) => [keyOf(message), message]))
  const table: Record<string, Left> = { ...(market === 'futures' && inDocs), ...onScreens[market] }
  let rig: Rig

  beforeAll(async () => {
    rig = await buildRig({ bot: { marketType: market } })
    await rig.startExecutor()
    for (const symbol of symbols)
      await rig.paper.pinPrices(symbol, { bid: '59999.9', ask: '60000.1', mark: price })
  })
  afterAll(async () => await rig.stop())

  test('each example that is shown has its row, and no row is of another', () => {
    expect([...byKey.keys()].toSorted()).toEqual(Object.keys(table).toSorted())
  })

  test.each(Object.entries(table))('%s runs as it stands, from flat', async (key, expected) => {
    await beginFlat()
    // Intake takes the line of an id away before the executor sees the message.
    const statuses = await run((byKey.get(key) ?? '').replace(/^@id .*\n/, ''))
    expect(new Set(statuses)).toEqual(new Set(['success']))
    expect(await whatIsLeft()).toEqual(expected)
  })

  test('"Close All Positions" closes the position and the orders of the first ready message', async () => {
    await beginFlat()
    const [long, ...others] = quickActionsOf({ label: 'MyBot', market })
    const close = others.find(({ title }) => title === 'Close All Positions')
    for (const message of [long?.message, close?.message])
      expect(new Set(await run(message ?? ''))).toEqual(new Set(['success']))
    expect(await whatIsLeft()).toEqual(nothing)
  })

  async function beginFlat(): Promise<void> {
    for (const symbol of symbols) await run(`MyBot(${symbol}) { cancel }`)
    for (const symbol of symbols) await run(`MyBot(${symbol}) { market(position=0) }`)
  }

  async function run(message: string): Promise<string[]> {
    const result = await rig.resultOf(await rig.send(message))
    if (result.outcome !== 'executed') throw new Error(JSON.stringify(result))
    return result.executions.flatMap(({ commands }) => commands.map(({ status }) => status))
  }

  async function whatIsLeft(): Promise<Left> {
    const { positions, balances, openOrders } = await rig.account()
    // A rest below a step of the market is nothing that could be sold.
    const coins = market === 'spot' ? floorToStep(balances['BTC'] ?? '0', '0.00001') : '0'
    return {
      holds: [...positions.map(({ symbol, quantity }) => `${symbol} ${sized(quantity)}`)].concat(
        isGreater(coins, '0.0001') ? `BTC ${sized(coins)}` : [],
      ),
      rests: openOrders
        .map(({ side, quantity, triggerPrice, price: at, reduceOnly }) => {
          const where = absolute(triggerPrice ?? at)
          return `${side.toLowerCase()} ${sized(quantity)} at ${where}${reduceOnly ? ' to reduce' : ''}`
        })
        .toSorted(),
    }
  }
})

function sized(quantity: string): string {
  if (!isGreater(absolute(quantity), '0.05')) return quantity
  return `${nearestToStep(divide(multiply(quantity, price), divide(equity, '100')), '5')}%`
}
