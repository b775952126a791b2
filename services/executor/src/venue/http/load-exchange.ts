/** The exchanges of the library that adapters are built on; its package exports none of them alone. */
const exchanges = {
  binance: async () => (await import('../../../node_modules/ccxt/js/src/binance.js')).default,
  binanceusdm: async () => (await import('../../../node_modules/ccxt/js/src/binanceusdm.js')).default,
  bybit: async () => (await import('../../../node_modules/ccxt/js/src/bybit.js')).default,
  okx: async () => (await import('../../../node_modules/ccxt/js/src/okx.js')).default,
} as const

/**
 * Loads one exchange of the library, on first use only: that takes a fourth of a second and 15 MB. The package's own
 * entry loads all hundred of them, which takes four times as much of both.
 */
export async function loadExchange<Name extends keyof typeof exchanges>(
  name: Name,
): Promise<Awaited<ReturnType<(typeof exchanges)[Name]>>> {
  return (await exchanges[name]()) as Awaited<ReturnType<(typeof exchanges)[Name]>>
}
