import { describe, expect, test } from '@jest/globals'
import type { AlertMessage } from '@tripline/proto/alert'
import type { AlertId, BotId, UserId } from '@tripline/proto/id'
import { accountReading, btcusdt, btcusdtSpot, commandsOf, flat } from '../../test/btcusdt.ts'
import type { AccountReading } from '../domain/account/account.ts'
import type { KnownReading } from '../domain/account/known-reading.ts'
import type { ReadingScope } from '../domain/account/reading-scope.ts'
import { absenceRules } from '../domain/order/absence.ts'
import type { Market } from '../domain/order/market.ts'
import type { Side } from '../domain/order/side.ts'
import { createLanes } from '../lanes/lanes.ts'
import type { BotClient } from '../venue/pool.ts'
import { foreseeAlert } from './foresee-alert.ts'

const { bid, ask, mark } = accountReading()
const prices = { bid, ask, mark }
const nowhere = { offset: 0, length: 0 }
const bought = 'market(buy, 0.01); stop(sell, 100%p, 61000)'

interface Scene {
  market?: Market
  known?: KnownReading | undefined
  quote?: { bid: string; ask: string }
  account?: string
  lastEntry?: Side
  isFree?: boolean
}

function foreseen(
  texts: readonly string[],
  { market = btcusdt, lastEntry, isFree = true, ...known }: Scene,
  asked: ReadingScope[] = [],
) {
  const kind = market.kind === 'spot' ? 'spot' : 'futures'
  const alert: AlertMessage = {
    alertId: '01M7Z3YEC8DZQ6GC0TP98HWSRF' as AlertId,
    userId: 'user' as UserId,
    message: '',
    receivedAt: 0,
    readAt: 0,
    isFirst: true,
    blocks: texts.map((text) => ({
      botId: 'bot' as BotId,
      label: 'MyBot',
      labelSpan: nowhere,
      symbol: 'BTCUSDT',
      symbolSpan: nowhere,
      perp: false,
      span: nowhere,
      commands: commandsOf(text, kind),
    })),
  }
  const venue = {
    market: () => market,
    knownNow: (_symbol: string, scope: ReadingScope) => {
      asked.push(scope)
      return known.known
    },
    quotes: { recent: () => known.quote && { ...known.quote, askedAt: 0 } },
  } as unknown as BotClient['venue']
  const clients = texts.map((_text, index) => ({
    venue,
    accountKey: known.account ?? `account ${index}`,
    absence: absenceRules.paper_futures,
    market: 'paper_futures' as const,
  }))
  return foreseeAlert({
    alert,
    clients,
    lanes: { isFree: () => isFree },
    entries: { readNow: () => (lastEntry === undefined ? {} : { both: [{ side: lastEntry, at: 0 }] }) },
  })
}

function foresee(...given: Parameters<typeof foreseen>): string[] {
  return foreseen(...given).findings.map(({ block, command, code }) => `${block} ${command} ${code}`)
}

function unjudged(...given: Parameters<typeof foreseen>): number[] {
  return [...foreseen(...given).unjudged]
}

const known = (differing: Partial<AccountReading> = flat): KnownReading => ({
  prices,
  account: accountReading(differing),
})

describe('an alert', () => {
  test('is judged by the known part of its account', () => {
    expect(foresee([bought], { known: known() })).toEqual(['0 1 E507'])
    const stopped = 'market(buy, 0.01); stop(sell, 100%p, e1%)'
    expect(foresee([stopped, bought], { known: known() })).toEqual(['1 1 E507'])
    // The buy closes a short, and what is left of it is none.
    expect(foresee([bought], { known: known({ position: '-0.01' }) })).toEqual([])
  })

  test('of which nothing can be refused behind an entry asks for nothing', () => {
    const asked: ReadingScope[] = []
    for (const text of [
      'market(buy, 0.01)',
      'market(position=0); balance',
      'market(buy, 1); wait(1s); cancel',
    ])
      expect(foresee([text], { known: known() }, asked)).toEqual([])
    expect(asked).toEqual([])
  })

  test('asks for as much of the account as its orders are decided on', () => {
    const asked: ReadingScope[] = []
    foresee([bought], { known: known() }, asked)
    foresee(['balance; market(buy, 10%); stop(sell, 100%p, 61000)'], { known: known() }, asked)
    foresee(['market(buy, 10%a); stop(sell, 100%p, 61000)'], { known: known() }, asked)
    expect(asked).toEqual(['position', 'equity', 'all'])
  })

  test('of which nothing is known is not judged, block by block, where something is behind an entry', () => {
    expect(foresee([bought], { known: undefined })).toEqual([])
    expect(unjudged(['balance', bought, 'market(buy, 0.01)'], { known: undefined })).toEqual([1])
    expect(unjudged([bought], { known: known() })).toEqual([])
  })

  test('of which only the price is known is not judged where an order of it is sized by the account', () => {
    const sized = 'market(buy, 0.1); market(buy, 10%); stop(sell, 100%p, 61000)'
    expect(unjudged([sized], { known: { prices }, lastEntry: 'buy' })).toEqual([0])
    expect(unjudged([sized], { market: btcusdtSpot, quote: { bid, ask } })).toEqual([0])
    expect(foresee([sized], { known: known() })).toEqual(['0 2 E507'])
  })
})

describe('where the account may change before its turn', () => {
  test('the price alone counts, on the side of the last entry', () => {
    const scene = { known: known({ position: '-5' }), isFree: false }
    expect(foresee([bought], { ...scene, lastEntry: 'buy' })).toEqual(['0 1 E507'])
    expect(foresee([bought], { ...scene, lastEntry: 'sell' })).toEqual([])
    expect(foresee([bought], scene)).toEqual([])
    expect(unjudged([bought], scene)).toEqual([0])
    expect(unjudged([bought], { ...scene, lastEntry: 'buy' })).toEqual([])
    // For what protects a long, 95000 is not far.
    const far = 'limit(buy, 2, 50000); stop(sell, 2, 95000)'
    expect(foresee([far], { ...scene, lastEntry: 'buy' })).toEqual(['0 1 E507'])
    const flattened = 'market(buy, 0.01); market(position=0); stop(sell, 100%p, 58000)'
    expect(foresee([flattened], { ...scene, lastEntry: 'buy' })).toEqual([])
  })

  test('so it does for the second block of a market', () => {
    const scene = { known: known(), account: 'the same' }
    expect(foresee(['balance', bought], scene)).toEqual([])
    expect(foresee(['balance', bought], { ...scene, lastEntry: 'buy' })).toEqual(['1 1 E507'])
  })
})

test('on spot a quote that was had in passing gives the price, on futures it does not give the mark', () => {
  const quote = { bid, ask }
  const text = 'market(buy, 100$); stop(sell, 100%p, 61000)'
  expect(foresee([text], { market: btcusdtSpot, quote })).toEqual(['0 1 E507'])
  expect(foresee([bought], { quote, lastEntry: 'buy' })).toEqual([])
})

test('a lane is free while nothing runs in its market, or in all of its account', async () => {
  const lanes = createLanes()
  const lane = { account: 'a', market: 'BTCUSDT' }
  expect(lanes.isFree(lane)).toBe(true)
  await lanes.enter(lane, async () => {
    expect(lanes.isFree(lane)).toBe(false)
    expect(lanes.isFree({ ...lane, market: 'ETHUSDT' })).toBe(true)
    expect(lanes.isFree({ ...lane, account: 'b' })).toBe(true)
  })
  await lanes.enter({ ...lane, isAlone: true }, async () =>
    expect(lanes.isFree({ ...lane, market: 'ETHUSDT' })).toBe(false),
  )
  expect(lanes.isFree(lane)).toBe(true)
})
