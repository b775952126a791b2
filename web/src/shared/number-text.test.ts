import { expect, test } from '@jest/globals'
import { changeText, coinText, numbersInText, numberText, priceText } from './number-text.ts'

test.each([
  ['0', '0'],
  ['1234567.8900', '1,234,567.89'],
  ['999', '999'],
  ['-1000', '-1,000'],
  ['0.00000001', '0.00000001'],
  ['9007199254740993.1', '9,007,199,254,740,993.1'],
  ['-0.0', '0'],
  ['soon', 'soon'],
])('%s is read as %s', (text, expected) => {
  expect(numberText(text)).toBe(expected)
})

test.each([
  ['1234.565', 2, '1,234.57'],
  ['999.995', 2, '1,000.00'],
  ['0.004', 2, '0.00'],
  ['-0.004', 2, '0.00'],
  ['7', 2, '7.00'],
  ['60000.5', 0, '60,001'],
  ['9007199254740993.005', 2, '9,007,199,254,740,993.01'],
])('%s to %d places is read as %s', (text, places, expected) => {
  expect(numberText(text, places)).toBe(expected)
})

test.each([
  ['60006.25590038', '60,006.256'],
  ['60000.5', '60,000.5'],
  ['0.00001234567891', '0.000012345679'],
  ['15000000.125', '15,000,000.13'],
  ['3001.35', '3,001.35'],
])('a price of %s is read as %s', (price, expected) => {
  expect(priceText(price)).toBe(expected)
})

test.each([
  ['12.3', '+12.30'],
  ['-12.345', '-12.35'],
  ['0', '0.00'],
  ['0.001', '0.00'],
])('a change of %s is read as %s', (text, expected) => {
  expect(changeText(text, 2)).toBe(expected)
})

test.each([
  ['equity 10000.50, available 8000 USDT', 'equity 10,000.5, available 8,000 USDT'],
  [
    '1000PEPEUSDT at 59000, order 4000000008, at 2026-11-26',
    '1000PEPEUSDT at 59,000, order 4000000008, at 2026-11-26',
  ],
  ['5% of equity = 1499.984949975 USDT', '5% of equity = 1,499.98 USDT'],
  ['0.00123456 USDT and 0.12345678 BTC', '0.00123456 USDT and 0.12345678 BTC'],
  ['990000.0 is too far: write offset=990000', '990,000 is too far: write offset=990000'],
  ['100000.000 is above the maximum 120', '100,000 is above the maximum 120'],
  ['59,000 stays, t1234 too', '59,000 stays, t1234 too'],
])('of the sentence "%s" the numbers are "%s"', (text, expected) => {
  expect(numbersInText(text)).toBe(expected)
})

test.each([
  ['7401.0575192', 'USDT', '7,401.06 USDT'],
  ['-3.005', 'USDC', '-3.01 USDC'],
  ['100.000', 'USDT', '100 USDT'],
  ['2.5', 'USDT', '2.50 USDT'],
  ['0.00123', 'USDT', '0.00123 USDT'],
  ['1.23456789', 'BTC', '1.23456789 BTC'],
])('%s of %s is read as %s', (amount, coin, expected) => {
  expect(coinText(amount, coin)).toBe(expected)
})
