import { quoted } from './syntax-fault.ts'
import type { Reading } from './value.ts'

/** A symbol in the venues' spelling, and whether the text said that a perpetual is meant. */
export interface SymbolText {
  symbol: string
  perp: boolean
}

const symbolLimit = 40
const perpetualSuffix = /(?:\.P|[.\-_]?PERP)$/
const pairPattern = /^([\p{L}\p{N}]+)(?:[/_-]([\p{L}\p{N}]+))?$/u

/** The symbol in any spelling: with an exchange before it, a quote and a settle coin, `.P` or `PERP` after it. */
export function readSymbol(text: string): Reading<SymbolText> {
  const upper = text.toUpperCase()
  const plain = upper.replace(perpetualSuffix, '')
  const parts = splitColons(plain)
  const pair = parts && pairPattern.exec(parts.pair)
  if (!pair || plain === '' || upper.length > symbolLimit) return badSymbol(text)
  const [, base = '', quote = ''] = pair
  return { value: { symbol: base + quote, perp: parts.isSettled || plain !== upper } }
}

/** `EXCHANGE:pair`, `pair:SETTLE` or both; of one colon the text beside it decides which. */
function splitColons(text: string): { pair: string; isSettled: boolean } | undefined {
  const [first = '', second, third, ...rest] = text.split(':')
  if (rest.length > 0 || first === '' || second === '' || third === '') return undefined
  if (second === undefined) return { pair: first, isSettled: false }
  if (third !== undefined) return { pair: second, isSettled: true }
  const isSettled = /[/_-]/.test(first) || first.startsWith(second) || first.endsWith(second)
  return isSettled ? { pair: first, isSettled } : { pair: second, isSettled }
}

function badSymbol(text: string): Reading<never> {
  return {
    fault: {
      code: 'E311',
      cause: text === '' ? 'no symbol stands in the parentheses' : `${quoted(text)} is not a symbol`,
      expected: 'A symbol is written like BTCUSDT, BTC/USDT, BTCUSDT.P, BTC/USDT:USDT or BINANCE:BTCUSDT',
    },
  }
}
