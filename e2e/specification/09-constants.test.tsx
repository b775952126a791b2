import { describe, expect, test } from '@jest/globals'
import { NewBotLabel } from '@tripline/proto/user-config'
import { newKeyValues } from '../../web/src/features/api-keys/key-values.ts'
import { pageSize } from '../../web/src/features/executions/execution-filter.ts'
import { pollMs } from '../../web/src/features/executions/use-executions.ts'
import { legalTexts } from '../../web/src/features/legal/texts.ts'
import { readRecentWebhooks, withRecentWebhook } from '../../web/src/features/terminal/recent-webhooks.ts'
import { emptyTemplate, quickActionsOf } from '../../web/src/features/terminal/templates.ts'
import { exampleMessages } from '../../web/src/features/webhook/example-messages.ts'
import { withEvent } from '../../web/src/landing/activity-lines.ts'
import { landingTexts } from '../../web/src/landing/landing-texts.ts'
import { durationText, utcTimeText } from '../../web/src/shared/format.ts'
import { keepNewest } from '../../web/src/shared/live/live-lines.ts'
import { reconnectDelayMs } from '../../web/src/shared/live/reconnect-delay.ts'

const timestamp = '2026-01-02T03:04:05.006Z'
const markets = ['futures', 'spot'] as const
const oneLine = (message: string | undefined) => message?.replaceAll(/\s+/g, ' ')

test('9: "Label maximum 50 characters"', () => {
  expect([50, 51].map((length) => NewBotLabel.safeParse('x'.repeat(length)).success)).toEqual([true, false])
})

test('9: "Executions page size 20, ... polling every 5000 ms"', () => {
  expect([pageSize, pollMs]).toEqual([20, 5000])
})

test('9: "New API key defaults"', () => {
  expect(newKeyValues()).toMatchObject({
    notify_on_trade: true,
    notify_on_error: true,
    notify_on_fill: false,
    exchange: 'bybit',
    market_type: 'futures',
    is_testnet: false,
  })
})

describe('9: "Event lists keep the last 200 events"', () => {
  const event = (message: string) => ({ timestamp, type: 'webhook' as const, message })

  test('in the terminal', () => {
    const many = Array.from({ length: 250 }, (_, index) => event(String(index)))
    const newest = keepNewest([], many, 0)
    expect([newest.length, newest[0]?.event.message]).toEqual([200, '50'])
  })

  test('on the landing page', () => {
    let lines: ReturnType<typeof withEvent> = []
    for (let index = 0; index < 250; index++) lines = withEvent(lines, event(String(index)), undefined)
    expect([lines.length, lines[0]?.event.message]).toEqual([200, '50'])
  })
})

test('9: "reconnect delay 1 s doubled per attempt, capped at 30 s"', () => {
  expect([1, 2, 3, 4, 5, 6, 7].map(reconnectDelayMs)).toEqual([
    1000, 2000, 4000, 8000, 16_000, 30_000, 30_000,
  ])
})

test('9: "Recent webhooks: at most 20, stored in the browser"', () => {
  let list = readRecentWebhooks(null)
  for (let index = 0; index < 25; index++)
    list = withRecentWebhook(list, { id: `${index}`, message: `${index}`, timestamp })
  expect(list).toHaveLength(20)
})

test('9: "Times in the live lists are shown in UTC with milliseconds"', () => {
  expect(utcTimeText('2026-01-02T04:04:05.006+01:00')).toBe('03:04:05.006')
})

test.each([
  [2, '2.0 ms'],
  [123.4, '123 ms'],
  [999, '999 ms'],
  [1000, '1.0 s'],
  [61_240, '61.2 s'],
])(
  '9: "Durations under 1000 ms are shown in ms; 1000 ms or more as seconds with one decimal": %d is %s',
  (ms, shown) => {
    expect(durationText(ms)).toBe(shown)
  },
)

describe('9: "Terminal templates: symbol BTCUSDT, leverage 10, amount 0.01, take profit 2%, stop loss 1%, and 100% of the position"', () => {
  test('a chip begins with symbol BTCUSDT and an empty body (2)', () => {
    expect(oneLine(emptyTemplate('My Bot').message)).toBe('My Bot(BTCUSDT) { }')
  })

  test('on futures', () => {
    expect(
      quickActionsOf({ label: 'My Bot', market: 'futures' }).map(({ message }) => oneLine(message)),
    ).toEqual([
      'My Bot(BTCUSDT) { exchangeSettings(leverage=10) market(buy, 0.01) stopOrTakeProfit(amount=100%p, sl=1%, tp=2%) }',
      'My Bot(BTCUSDT) { market(sell, 0.01) }',
      'My Bot(BTCUSDT) { market(position=0) }',
      'My Bot(BTCUSDT) { balance() }',
    ])
  })

  test('on spot, decided otherwise: there is no leverage, and nothing to sell short', () => {
    expect(
      quickActionsOf({ label: 'My Bot', market: 'spot' }).map(({ message }) => oneLine(message)),
    ).toEqual([
      'My Bot(BTCUSDT) { market(buy, 0.01) stopOrTakeProfit(sell, 100%, sl=1%, tp=2%) }',
      'My Bot(BTCUSDT) { market(position=0) }',
      'My Bot(BTCUSDT) { balance() }',
    ])
  })

  test('their titles (2)', () => {
    expect(quickActionsOf({ label: 'My Bot', market: 'futures' }).map(({ title }) => title)).toEqual([
      'Long (10x leverage + TP/SL)',
      'Short (fast execution)',
      'Close All Positions',
      'Check Balance',
    ])
    // Decided otherwise: a title that names a leverage which a spot market does not have would be wrong.
    expect(quickActionsOf({ label: 'My Bot', market: 'spot' }).map(({ title }) => title)).toEqual([
      'Long (TP/SL)',
      'Close All Positions',
      'Check Balance',
    ])
  })
})

describe('9: "Example alert syntax: the bot label, then the symbol in parentheses, then a braced block of commands"', () => {
  const messages = (market: (typeof markets)[number]) =>
    exampleMessages({ label: 'MyBot', market }).map(({ message }) => oneLine(message))

  test.each(markets)(
    '"an oco block containing stop(sell, 100%%, price) and limit(sell, 100%%, price)", on %s',
    (market) => {
      // The entry is small where the specification buys with 100%: what is pasted from an example is not to spend all there is.
      expect(messages(market)[2]).toBe(
        'MyBot(BTCUSDT) { market(buy, 10%b) oco { stop(sell, 100%, -1%) limit(sell, 100%, +2%) } }',
      )
    },
  )

  test('"market(sell, 100%) to close", decided otherwise', () => {
    // Of a bot that has opened nothing here, that would open a short.
    for (const market of markets)
      expect(messages(market).at(-1)).toBe('MyBot(BTCUSDT) { market(position=0) }')
  })
})

test('9: "Terms and privacy dates: January 1, 2025. Copyright year 2025"', () => {
  expect(legalTexts.date).toBe('January 1, 2025')
  expect(landingTexts.footer.copyright).toContain('© 2025')
})
