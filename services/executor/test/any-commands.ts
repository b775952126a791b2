import type { Command } from '@tripline/proto/alert-tree'
import fc from 'fast-check'
import type { AccountReading } from '../src/domain/account/account.ts'
import type { Market } from '../src/domain/order/market.ts'
import type { OrderPlan } from '../src/domain/order/order.ts'
import { accountReading, btcusdt, btcusdtSpot, commandsOf, flat, spotHoldings } from './btcusdt.ts'

/** A spot market that takes any amount. */
export const spot: Market = { ...btcusdtSpot, minNotional: '0' }

/** True for an order that cannot make the account hold more, whatever it holds by the time it arrives. */
export function onlyShrinks({ reduceOnly, side, positionSide }: OrderPlan, market: Market): boolean {
  if (market.kind === 'spot') return side === 'sell'
  if (positionSide !== 'both') return (positionSide === 'long') === (side === 'sell')
  return reduceOnly
}

/** An account that holds a long and a short. */
export const hedged = accountReading({
  position: '0',
  hedged: {
    long: { quantity: '0.1', entryPrice: '59000', unrealizedPnl: '0' },
    short: { quantity: '-0.1', entryPrice: '61000', unrealizedPnl: '0' },
  },
  settings: { leverage: '20', marginMode: 'cross', positionMode: 'hedge' },
})
/** Holdings of accounts, by market. */
export const places: [name: string, market: Market, account: AccountReading][] = [
  ['a long', btcusdt, accountReading()],
  ['a short', btcusdt, accountReading({ position: '-0.1', entryPrice: '61000' })],
  ['nothing', btcusdt, accountReading(flat)],
  ['both sides', btcusdt, hedged],
  ['coins', spot, accountReading({ ...spotHoldings, settings: null })],
  ['no coins', spot, accountReading({ ...spotHoldings, position: '0', holdings: [], settings: null })],
]

const sides = ['buy', 'sell']
const amounts = ['0.01', '5', '50%', '100%p', '100%b', '100%a', '900%', '1000$']
const prices = ['59000', '61000', '1%', 'e1%', '-1%', '+1%']
const options = [
  '',
  ', reduceOnly=false',
  ', reduceOnly=true',
  ', reduceOnly=true, positionSide=long',
  ', reduceOnly=true, positionSide=short',
  ', positionSide=long',
  ', positionSide=short',
  ', tag=x',
]
const pick = fc.constantFrom
const order = fc.oneof(
  fc
    .tuple(
      pick('market', 'limit', 'stop'),
      pick(...sides),
      pick(...amounts),
      pick(...prices),
      pick(...options),
    )
    .map(
      ([type, side, amount, price, more]) =>
        `${type}(${side}, ${amount}${type === 'market' ? '' : `, ${price}`}${more})`,
    ),
  fc
    .tuple(pick('0', '0.05', '-0.05', '0.5', '-0.5', '50%p', '200%'), pick(...options))
    .map(([target, more]) => `market(position=${target}${more})`),
  fc
    .tuple(
      pick('amount=100%p, ', 'sell, 100%p, ', 'buy, 100%p, ', 'buy, 1, '),
      pick('sl=58000', 'tp=62000', 'sl=2%, tp=2%'),
      pick(...options),
    )
    .map(([head, tail, more]) => `sltp(${head}${tail}${more})`),
)
const leg = fc
  .tuple(pick('limit', 'stop'), pick(...sides), pick(...amounts), pick(...prices), pick(...options))
  .map(([type, side, amount, price, more]) => `${type}(${side}, ${amount}, ${price}${more})`)
/** One command as it is written: orders, groups, cancels, and what else there is. */
export const anyCommand = fc.oneof(
  { weight: 6, arbitrary: order },
  { weight: 2, arbitrary: fc.tuple(leg, leg).map((legs) => `oco { ${legs.join('; ')} }`) },
  pick(
    'cancel',
    'cancel(stop)',
    'balance',
    'wait(5)',
    'wait(60)',
    'wait(61)',
    'settings(leverage=100)',
    'settings(positionMode=hedge)',
  ),
)

/** The commands of a block that can be read. */
export function readable(texts: readonly string[], market: Market): readonly Command[] | undefined {
  try {
    return commandsOf(texts.join('; '), market.kind === 'spot' ? 'spot' : 'futures')
  } catch {
    return undefined
  }
}
