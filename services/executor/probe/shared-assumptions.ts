import { recordedMarkets } from '../src/venue/read/drift.ts'
import type { Assumption } from './judge.ts'

const of = (step: string, claim: string, source: string): Assumption => {
  return { markets: recordedMarkets, step, claim, source }
}

/** The assumptions about every market. */
export const sharedAssumptions = {
  'product.rests': of(
    'product',
    'the product places a limit order, and lists it',
    'venue.ts: place, openOrders',
  ),
  'product.found': of('product', 'the product finds it by our id', 'venue.ts: lookUp'),
  'product.canceled': of(
    'product',
    'the product cancels it, and does so twice without an error',
    'venue.ts: cancel',
  ),
  'product.stop': of('product', 'the product places a stop, lists it and cancels it', 'venue.ts: place'),
  'product.reported': of(
    'product',
    'the private stream reports the product of each of these',
    'venue.ts: follow',
  ),
  'product.account': of(
    'product',
    'the product reads balance, position, settings and prices',
    'venue.ts: read',
  ),
  'lag.look-up': of('fill', 'a read by id shows an order, and its end, within 2 s', 'decision 4'),
  'lag.lists': of('fill', 'open orders, all orders and fills show it within 2 s', 'decision 4'),
  'lag.account': of('fill', 'position and balance show a fill within 2 s', 'decision 15'),
  'answers.known': of('clean', 'nothing came that our parsers do not read or know', 'drift.ts'),
} as const satisfies Record<string, Assumption>
