import type { MarketCommand } from '@tripline/proto/language/tree'
import { sizeOrder } from '../sizing.ts'
import { finishOrder } from './finish-order.ts'
import type { Resolution, Scene } from './resolution.ts'

/** What a market command comes to; it is valued at what the market asks. */
export function resolveMarket(command: MarketCommand, scene: Scene): Resolution {
  const { market, reading, positionSide } = scene
  const size = sizeOrder(command, market, reading)
  const price = size.size === 'order' && size.side === 'buy' ? reading.ask : reading.bid
  return finishOrder({ size, order: { type: 'market', positionSide }, asked: command, price }, scene)
}
