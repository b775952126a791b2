import { expect, test } from '@jest/globals'
import { Config } from './config.ts'

test('prices stand still unless a tick is set', () => {
  expect(Config.parse({})).toMatchObject({ PAPER_TICK_MS: 0, PAPER_PRICES: {}, PAPER_CONTROL: 'off' })
  expect(Config.parse({ PAPER_TICK_MS: '500', PAPER_SEED: '7' })).toMatchObject({
    PAPER_TICK_MS: 500,
    PAPER_SEED: 7,
  })
})

test('prices around which coins move are read exactly', () => {
  const { PAPER_PRICES } = Config.parse({ PAPER_PRICES: '{"BTC":"95000.5","DOGE":"0.3"}' })
  expect(PAPER_PRICES).toEqual({ BTC: 9_500_050_000_000n, DOGE: 30_000_000n })
})

test.each(['{', '[]', '{"BTC":95000}', '{"BTC":"0"}', '{"btc":"1"}', '{"BTC":"much"}'])(
  'prices are refused as %s',
  (PAPER_PRICES) => {
    expect(Config.safeParse({ PAPER_PRICES }).success).toBe(false)
  },
)
