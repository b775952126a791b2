import { describe, expect, test } from '@jest/globals'
import { exchangeOptions, marketsOf, offeredExchanges } from './exchange-options.ts'
import { createBody, followingValues, isLabelTaken, newKeyValues, updateBody } from './key-values.ts'

test('a new key begins on Bybit futures, with notifications of trades and errors and none of fills', () => {
  expect(newKeyValues()).toMatchObject({
    exchange: 'bybit',
    market_type: 'futures',
    is_testnet: false,
    notify_on_trade: true,
    notify_on_error: true,
    notify_on_fill: false,
  })
})

describe('the market', () => {
  test('is the first one of an exchange that was changed to', () => {
    const values = { ...newKeyValues(), exchange: 'binance' }
    expect(followingValues({ exchange: 'binance' }, values)).toEqual({
      market_type: 'futures_usdt',
      is_testnet: true,
    })
    const back = { ...values, exchange: 'bybit', market_type: 'futures_usdt' }
    expect(followingValues({ exchange: 'bybit' }, back)).toEqual({
      market_type: 'futures',
      is_testnet: false,
    })
  })

  test('says which network there is', () => {
    const values = { ...newKeyValues('binance'), market_type: 'spot' }
    expect(followingValues({ market_type: 'spot' }, values)).toMatchObject({ is_testnet: false })
  })

  test('stays with every other change', () => {
    expect(followingValues({ label: 'A' }, newKeyValues())).toEqual({})
  })
})

test('a label is taken whatever its case and blanks', () => {
  expect(isLabelTaken('my  bot ', ['My Bot'])).toBe(true)
  expect(isLabelTaken(' mybot', ['MyBot'])).toBe(true)
  expect(isLabelTaken('MyBot2', ['MyBot'])).toBe(false)
})

describe('the request to the API', () => {
  const values = { ...newKeyValues(), label: ' A ', api_key: ' key\n', api_secret: ' secret ' }

  test('has no blanks that came with a paste', () => {
    expect(createBody(values)).toMatchObject({ label: 'A', api_key: 'key', api_secret: 'secret' })
  })

  test('has no credentials for a Paper bot', () => {
    const body = createBody({ ...values, exchange: 'paper', is_testnet: true })
    expect(body).toMatchObject({ exchange: 'paper', is_testnet: false })
    expect(Object.keys(body)).not.toContain('api_secret')
  })

  test('contains for a change label, market and notifications only', () => {
    expect(Object.keys(updateBody(values)).toSorted()).toEqual([
      'label',
      'market_type',
      'notify_on_error',
      'notify_on_fill',
      'notify_on_trade',
    ])
  })
})

test('OKX can be chosen where it is switched on, as beta, and has a passphrase', () => {
  expect(offeredExchanges(false)).toBe(exchangeOptions)
  const okx = offeredExchanges(true).find(({ value }) => value === 'okx')
  expect(okx).toMatchObject({ name: 'OKX', note: 'beta: tried on documentation and paper' })
  expect(marketsOf('okx', offeredExchanges(true)).map(({ value }) => value)).toEqual(['futures', 'spot'])
  const values = {
    ...newKeyValues('okx'),
    label: 'A',
    api_key: ' k ',
    api_secret: 's',
    api_passphrase: ' p ',
  }
  expect(createBody(values)).toMatchObject({
    exchange: 'okx',
    api_key: 'k',
    api_secret: 's',
    api_passphrase: 'p',
  })
  expect(createBody({ ...values, exchange: 'bybit' })).not.toHaveProperty('api_passphrase')
})
