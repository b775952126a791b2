import { larger, smaller } from './fixed.ts'
import { finePrice, floorToTick, type Market } from './market.ts'

const MILLION = 1_000_000n

/** The price a trigger watches. */
export type TriggerBy = 'last' | 'mark' | 'index'

/** The distance of a trailing trigger: parts of 1,000,000 of the best price, or an amount of price. */
export type Callback = Readonly<{ rate: bigint }> | Readonly<{ distance: bigint }>

/** A trigger that follows the price from its activation on; `extreme` is the best price it has seen since. */
export type Trailing = Readonly<{ callback: Callback; activation?: bigint; extreme?: bigint }>

/** The condition that wakes a conditional order. The price has the market's precision. */
export type Trigger = Readonly<{
  by: TriggerBy
  when: 'rises' | 'falls'
  price: bigint
  trailing?: Trailing
}>

/** Whether the watched price (eight places) has come to the trigger. A trailing one answers only once it is active. */
export function isReached(market: Market, trigger: Trigger, watched: bigint): boolean {
  if (trigger.trailing && trigger.trailing.extreme === undefined) return false
  const price = finePrice(market, trigger.price)
  return trigger.when === 'rises' ? watched >= price : watched <= price
}

/** Whether an order with this trigger would wake as soon as it is placed. */
export function firesAtOnce(market: Market, trigger: Trigger, watched: bigint): boolean {
  const activation = trigger.trailing?.activation
  if (trigger.trailing && activation === undefined) return false
  if (activation !== undefined) return isActive(trigger, activation, floorToTick(market, watched))
  return isReached(market, trigger, watched)
}

// A trigger that waits for a fall first lets the price rise to its activation, and the other way round.
function isActive({ when }: Trigger, activation: bigint, price: bigint): boolean {
  return when === 'falls' ? price >= activation : price <= activation
}

/** The trigger after the watched price moved: a trailing one follows the best price since its activation. */
export function followed(market: Market, trigger: Trigger, watched: bigint): Trigger {
  const { trailing, when } = trigger
  if (!trailing) return trigger
  const price = floorToTick(market, watched)
  const { activation, extreme, callback } = trailing
  if (extreme === undefined && activation !== undefined && !isActive(trigger, activation, price))
    return trigger
  const best =
    extreme === undefined ? price : when === 'falls' ? larger(extreme, price) : smaller(extreme, price)
  if (best === extreme) return trigger
  const back = distanceOf(callback, best)
  return {
    ...trigger,
    price: when === 'falls' ? larger(market.tick, best - back) : best + back,
    trailing: { ...trailing, extreme: best },
  }
}

function distanceOf(callback: Callback, best: bigint): bigint {
  return 'rate' in callback ? (best * callback.rate) / MILLION : callback.distance
}
