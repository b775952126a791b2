import { describe, expect, test } from '@jest/globals'
import { OverallStatus } from '@tripline/proto/alert'
import { LoginView, RegisterBody, TokenPair, UserView, VerifiedEmail } from '@tripline/proto/http/auth'
import { ExecutedCommand, ExecutionPage, ExecutionView } from '@tripline/proto/http/execution'
import { CreateKeyBody, KeyView, WebhookConfigView } from '@tripline/proto/http/key'
import { NotificationView } from '@tripline/proto/http/notification'
import { WebhookAnswer } from '@tripline/proto/http/webhook'
import { commandTable } from '@tripline/proto/language/command-table'
import { LiveEvent } from '@tripline/proto/live-event'
import type { z } from 'zod'
import { exchangeOptions, marketsOf } from '../../web/src/features/api-keys/exchange-options.ts'
import { countries } from '../../web/src/features/session/countries.ts'
import { usernameOf } from '../../web/src/features/session/registration.ts'
import { commandDetail } from '../../web/src/features/terminal/command-detail.ts'
import { logLookOf } from '../../web/src/features/terminal/log-look.ts'
import { readRecentWebhooks } from '../../web/src/features/terminal/recent-webhooks.ts'
import { recordOf } from '../../web/src/features/terminal/response-record.ts'
import { exchangeName } from '../../web/src/shared/exchange-name.ts'
import { legacyStorageKeys, storageKeys } from '../../web/src/shared/storage-keys.ts'

describe('3: entities have at least these fields', () => {
  test.each<[string, z.ZodObject, string[]]>([
    ['User', UserView, ['email', 'username']],
    ['Login response', LoginView, ['access_token', 'refresh_token']],
    ['Refresh response', TokenPair, ['access_token']],
    [
      'Registration payload',
      RegisterBody,
      ['first_name', 'last_name', 'country', 'username', 'email', 'password'],
    ],
    ['Verification response', VerifiedEmail, ['message', 'email']],
    [
      'API key (exchange connection)',
      KeyView,
      [
        'id',
        'label',
        'exchange',
        'market_type',
        'api_key_preview',
        'is_testnet',
        'notify_on_trade',
        'notify_on_error',
        'notify_on_fill',
        'created_at',
      ],
    ],
    ['"Creation also sends api_key and api_secret"', CreateKeyBody, ['api_key', 'api_secret']],
    ['Webhook configuration', WebhookConfigView, ['webhook_url', 'is_active', 'max_requests_per_minute']],
    [
      'Webhook execution',
      ExecutionView,
      [
        'id',
        'created_at',
        'api_key_label',
        'exchange',
        'overall_status',
        'webhook_payload',
        'commands_executed',
      ],
    ],
    [
      'each command of an execution',
      ExecutedCommand,
      ['type', 'symbol', 'params', 'status', 'execution_time_ms', 'error_message', 'result'],
    ],
    ['Execution list response', ExecutionPage, ['executions', 'total', 'has_more']],
    [
      'Notification settings',
      NotificationView,
      ['telegram_enabled', 'telegram_bot_token', 'telegram_chat_id'],
    ],
    ['API key summary (terminal)', KeyView, ['id', 'label']],
    ['Webhook response', WebhookAnswer, ['status', 'error', 'message', 'performance', 'results']],
    ['Live event', LiveEvent, ['timestamp', 'type', 'message', 'details']],
  ])('%s', (_entity, schema, fields) => {
    expect(Object.keys(schema.shape)).toEqual(expect.arrayContaining(fields))
  })

  test('a key never reveals its secret', () => {
    expect(Object.keys(KeyView.shape)).not.toContain('api_secret')
    expect(Object.keys(KeyView.shape)).not.toContain('api_key')
  })
})

test('3: "The username is the part of the email before the @"', () => {
  expect(usernameOf('ada.byron@example.com')).toBe('ada.byron')
})

test('3: "Country options (value equals label)", and "Each has a 2-letter code used for its flag icon"', () => {
  const named =
    'Italy, United States, United Kingdom, Germany, France, Spain, Netherlands, Belgium, Switzerland, Austria, Portugal, Ireland, Sweden, Norway, Denmark, Finland, Poland, Czech Republic, Greece, Canada, Australia, New Zealand, Singapore, Japan, South Korea, China, Hong Kong, India, Brazil, Mexico, Argentina, South Africa, United Arab Emirates'
  expect(countries.map(({ name }) => name).join(', ')).toBe(named)
  expect(new Set(countries.map(({ Flag }) => Flag)).size).toBe(countries.length)
})

test.each([
  ['bybit', 'ByBit Futures'],
  ['bybit_spot', 'ByBit Spot'],
  ['binance_futures_usdt', 'Binance Futures'],
  ['binance_spot', 'Binance Spot'],
  ['binance_futures_coin', 'Binance COIN-M'],
  ['okx', 'OKX'],
])('3: exchange display names: %s is "%s"', (exchange, name) => {
  expect(exchangeName(exchange)).toBe(name)
})

describe('3: exchange and market type options', () => {
  const shown = (exchange: string) =>
    marketsOf(exchange).map(({ value, name, note, disabledBecause }) =>
      [value, name, note, disabledBecause].filter(Boolean).join(' | '),
    )

  test('bybit: "futures (Linear), spot"', () => {
    expect(shown('bybit')).toEqual(['futures | Futures (Linear)', 'spot | Spot'])
  })

  test('binance: "futures_usdt (USDⓈ-M, testnet only), spot (mainnet and testnet), futures_coin (COIN-M, coming soon, disabled)"', () => {
    expect(shown('binance')).toEqual([
      'futures_usdt | USDⓈ-M Futures | testnet only',
      'spot | Spot | mainnet and testnet',
      'futures_coin | COIN-M Futures | Coming soon',
    ])
  })

  test('okx: "futures and spot, both coming soon and disabled"', () => {
    expect(shown('okx')).toEqual(['futures | Futures | Coming soon', 'spot | Spot | Coming soon'])
    expect(exchangeOptions.find(({ value }) => value === 'okx')?.disabledBecause).toBe('Coming soon')
  })
})

test('3: command types', () => {
  expect(commandTable.map(({ type }) => type)).toEqual([
    'market',
    'limit',
    'stopOrder',
    'stopOrTakeProfit',
    'oneCancelsOther',
    'cancel',
    'balance',
    'wait',
    'exchangeSettings',
  ])
})

test('3: overall_status is success, partial or failed; one that goes on is listed as running', () => {
  expect(OverallStatus.options).toEqual(['success', 'partial', 'failed'])
  expect(ExecutionView.shape.overall_status.options).toEqual([...OverallStatus.options, 'running'])
})

test('3: "Recent webhook (kept in the browser under the key recentWebhooks): id, message, timestamp (ISO)"', () => {
  expect(storageKeys.recentWebhooks).toBe('recentWebhooks')
  const recent = { id: '1', message: 'MyBot(BTCUSDT) { balance }', timestamp: '2026-01-02T03:04:05.006Z' }
  expect(readRecentWebhooks(JSON.stringify([recent]))).toEqual([recent])
  expect(readRecentWebhooks(JSON.stringify([{ ...recent, timestamp: 'yesterday' }]))).toEqual([])
})

test('3: "Terminal response record: id, timestamp, duration in ms, request text, response, HTTP status, success flag"', () => {
  const about = { id: '1', timestamp: '2026-01-02T03:04:05.006Z', request: 'MyBot(BTCUSDT) { balance }' }
  const body = { status: 'success' }
  const sent = { outcome: 'answered', httpStatus: 200, body, durationMs: 12 } as const
  expect(recordOf(sent, about)).toMatchObject({
    ...about,
    durationMs: 12,
    response: body,
    httpStatus: 200,
    success: true,
  })
})

describe('3: command result fields read', () => {
  const order = {
    id: '4000000003',
    client_order_id: 't',
    symbol: 'BTCUSDT',
    side: 'sell',
    type: 'stop',
    amount: '0.01',
    price: '57990.5',
    triggerPrice: '58000',
    limit_price: null,
    average_price: '57990.5',
    filled: '0.01',
    fee: null,
    status: 'filled',
    reduce_only: true,
    sizing: '0.01 BTC',
  }
  const detailOf = (result: Record<string, unknown>) =>
    commandDetail({
      command: 'x',
      success: true,
      status: 'success',
      result,
      error: null,
      error_code: null,
      execution_time_ms: 1,
    })

  test.each([
    [
      'market/limit/stop: side, amount, price, triggerPrice, id',
      order,
      /sell 0.01 @ 57,990.5.*trigger 58,000.*order 4000000003/,
    ],
    [
      'stopOrTakeProfit: takeProfit.price and stopLoss.price',
      {
        stopLoss: { ...order, triggerPrice: null, price: '58000' },
        takeProfit: { ...order, triggerPrice: '62000' },
      },
      /stop loss @ 58,000.*take profit @ 62,000/,
    ],
    ['cancel: cancelled_count', { cancelled_count: 2, cancelled: [] }, /^2 orders canceled$/],
    [
      'exchangeSettings: leverage',
      { leverage: '10', margin_mode: null, position_mode: null, note: '' },
      /leverage 10x/,
    ],
    ['oneCancelsOther: orders_count', { orders_count: 2, orders: [], kept_by: 'venue' }, /^2 orders/],
    ['wait: duration', { duration: 1500, woke_at: 0 }, /^waited 1.5 s$/],
    [
      'balance {coin, total, free}',
      {
        balance: { coin: 'USDT', total: '10000', free: '9000' },
        equity: '10000',
        available: '9000',
        base: '0',
        quote: '10000',
        position: null,
        unrealized_pnl: '0',
      },
      /USDT total 10,000 · free 9,000/,
    ],
  ])('"%s"', (_fields, result, shown) => {
    expect(detailOf(result)).toMatch(shown)
  })
})

describe('3: live events', () => {
  test('"Event types: webhook, client_pool, command, exchange, oco, error, connected; each has its own icon and colour"', () => {
    const types = ['webhook', 'client_pool', 'command', 'exchange', 'oco', 'error', 'connected'] as const
    expect(LiveEvent.shape.type.options).toEqual(types)
    const looks = types.map((type) => logLookOf({ timestamp: '', type, message: '' }))
    expect(new Set(looks).size).toBe(types.length)
  })

  test('"details may hold execution_time_ms or duration_ms and phase (start, success, error, keepalive)"', () => {
    const details = LiveEvent.shape.details.unwrap()
    expect(Object.keys(details.shape)).toEqual(
      expect.arrayContaining(['execution_time_ms', 'duration_ms', 'phase']),
    )
    for (const phase of ['start', 'success', 'error', 'keepalive'])
      expect(details.parse({ phase })).toEqual({ phase })
  })
})

test('3: "Stored in the browser: accessToken, refreshToken, recentWebhooks, and the chosen theme"', () => {
  const { accessToken, refreshToken, recentWebhooks, theme } = storageKeys
  expect([accessToken, refreshToken, recentWebhooks, theme]).toEqual([
    'accessToken',
    'refreshToken',
    'recentWebhooks',
    'theme',
  ])
})

test('3: "Legacy keys token and user are removed on 401/403"', () => {
  expect(legacyStorageKeys).toEqual(['token', 'user'])
})
