import type { MarketCommand } from '@tripline/proto/language/tree'
import { sizeOrder } from '../sizing/sizing.ts'
import { finishOrder } from './finish-order.ts'
import type { Resolution, Scene } from './resolution.ts'

/** Resolves a market command; it is valued at the market's price, or as the venue does. */
export function resolveMarket(command: MarketCommand, scene: Scene): Resolution {
  const { market, reading, positionSide } = scene
  const size = sizeOrder(command, market, reading)
  const book = size.size === 'order' && size.side === 'buy' ? reading.ask : reading.bid
  const { bandPrice: price = book } = reading
  return finishOrder({ size, order: { type: 'market', positionSide }, asked: command, price }, scene)
}
