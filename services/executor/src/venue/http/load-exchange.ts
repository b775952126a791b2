import { createRequire } from 'node:module'
import path from 'node:path'
import type { binance, binanceusdm, bybit, okx } from 'ccxt'

/** The exchanges of the library that adapters are built on. */
interface Exchanges {
  binance: typeof binance
  binanceusdm: typeof binanceusdm
  bybit: typeof bybit
  okx: typeof okx
}

const sources = path.join(path.dirname(createRequire(import.meta.url).resolve('ccxt')), '../js/src')

/**
 * Loads one exchange of the library, on first use only: that takes a fourth of a second and 15 MB. The package's own
 * entry loads all hundred of them, which takes four times as much of both.
 */
export async function loadExchange<Name extends keyof Exchanges>(name: Name): Promise<Exchanges[Name]> {
  const { default: exchange } = await import(path.join(sources, `${name}.js`))
  return exchange
}
