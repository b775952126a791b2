import { expect, test } from '@jest/globals'
import { symbolsFor } from './symbols.ts'

test('the symbols offered begin with those of the messages, each once', () => {
  const symbols = symbolsFor([
    'A(PEPEUSDT) { balance } B(BTCUSDT) { balance }',
    'C(PEPEUSDT) { balance }',
    'words',
  ])
  expect(symbols.slice(0, 3)).toEqual(['PEPEUSDT', 'BTCUSDT', 'ETHUSDT'])
})
