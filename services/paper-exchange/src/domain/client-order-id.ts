const LONGEST = 36
const LEGAL = /^[.A-Z:/a-z0-9_-]{1,36}$/

/** Returns Binance's fault with a client order id, or undefined when it is well formed. */
export function faultOfBinanceId(id: string): 'tooLong' | 'illegal' | undefined {
  if (id.length > LONGEST) return 'tooLong'
  return LEGAL.test(id) ? undefined : 'illegal'
}
