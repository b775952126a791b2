import type { Command } from '@tripline/proto/alert-tree'
import { readMessage } from '@tripline/proto/language/read-message'
import type { AccountReading } from '../src/domain/account/account.ts'
import type { LastEntry } from '../src/domain/account/last-entry.ts'
import type { Market } from '../src/domain/order/market.ts'

/** Binance USDⓈ-M BTCUSDT as the resolution examples of the command language have it. */
export const btcusdt: Market = {
  symbol: 'BTCUSDT',
  kind: 'linear',
  base: 'BTC',
  quote: 'USDT',
  isTrading: true,
  quantityStep: '0.001',
  minQuantity: '0.001',
  maxQuantity: '1000',
  priceTick: '0.1',
  minNotional: '100',
  priceBand: { highest: '1.05', lowest: '0.95' },
  maxLeverage: '125',
  features: {
    nativeOco: false,
    conditional: true,
    reduceOnly: true,
    hedge: true,
    leverage: true,
    triggers: ['last', 'mark'],
    maxOpenOrders: 200,
    maxConditionalOrders: 100,
  },
}

/** Binance spot BTCUSDT, which keeps pairs of orders itself. */
export const btcusdtSpot: Market = {
  ...btcusdt,
  kind: 'spot',
  quantityStep: '0.00001',
  minQuantity: '0.00001',
  minNotional: '5',
  priceBand: undefined,
  maxLeverage: undefined,
  features: {
    ...btcusdt.features,
    nativeOco: true,
    reduceOnly: false,
    hedge: false,
    leverage: false,
    triggers: ['last'],
  },
}

/** Bybit spot BTCUSDT, which can have one order of a pair at a time. */
export const oneAtATime: Market = {
  ...btcusdtSpot,
  features: { ...btcusdtSpot.features, nativeOco: false },
}

/** Fields of an account without a position. */
export const flat: Partial<AccountReading> = { position: '0', entryPrice: null }

/** Fields of the account of Spot1 of the resolution examples: 1,000 USDT and 0.02 BTC. */
export const spotHoldings: Partial<AccountReading> = {
  holdings: [
    { coin: 'USDT', total: '1000', free: '1000' },
    { coin: 'BTC', total: '0.02', free: '0.02' },
  ],
  equity: '2200',
  available: '1000',
  position: '0.02',
  entryPrice: null,
}

/** An entry on this side of which nothing more is known, such as what closed its position. */
export function entryOn(side: LastEntry['side'], differing: Partial<LastEntry> = {}): LastEntry {
  return { side, rests: false, isFresh: false, ...differing }
}

/** The account of the resolution examples, long 0.100, with what differs. */
export function accountReading(differing: Partial<AccountReading> = {}): AccountReading {
  return {
    coin: 'USDT',
    holdings: [{ coin: 'USDT', total: '9900', free: '8000' }],
    equity: '10000',
    available: '8000',
    position: '0.100',
    entryPrice: '59000',
    unrealizedPnl: '100',
    settings: { leverage: '20', marginMode: 'cross', positionMode: 'oneWay' },
    bid: '59999.9',
    ask: '60000.1',
    mark: '60000.0',
    ...differing,
  }
}

/** The commands as the language reads them. */
export function commandsOf(text: string, market: 'futures' | 'spot' = 'futures'): Command[] {
  const { blocks, diagnostics } = readMessage(`MyBot(BTCUSDT) { ${text} }`, [{ label: 'MyBot', market }])
  const [block] = blocks
  if (block === undefined) throw new Error(`not readable: ${JSON.stringify(diagnostics)}`)
  return block.commands
}

/** The market command as the language reads it. */
export function marketCommandOf(text: string): Extract<Command, { type: 'market' }> {
  const [command] = commandsOf(text)
  if (command?.type !== 'market') throw new Error(`not a market command: ${text}`)
  return command
}
