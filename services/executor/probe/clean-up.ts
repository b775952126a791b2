import {
  absolute,
  add,
  floorToStep,
  isLess,
  isNegative,
  isZero,
  least,
  multiply,
  negate,
} from '@tripline/proto/decimal'
import type { Market } from '../src/domain/order/market.ts'
import type { Account, OpenOrder, Sent } from './exchange.ts'
import { pause } from './transport.ts'

/** The results and failures of the last step. */
export interface CleanUp {
  canceled: number
  /** The amount traded back, with a sign; `0` for nothing. */
  closed: string
  /** The remains, in sentences that say where; empty where nothing is. */
  left: string[]
  /** The amount that cannot be sold, since it is below the least order. */
  dust: string
}

interface Task {
  account: Account
  rules: Market
  sent: Sent[]
  /** Begins the client ids of all runs. */
  prefix: string
  newId: () => string
  bid: string
  /** The longest read lag. */
  settleMs: number
  signal: AbortSignal
}

const mostTries = 4

/** Cancels what is the probe's own, and ends what it bought; tries again where something fails. */
export async function cleanUp(task: Task): Promise<CleanUp> {
  const done: CleanUp = { canceled: 0, closed: '0', left: [], dust: '0' }
  for (let tries = 1; tries <= mostTries; tries++) {
    try {
      done.canceled += await cancelOwn(task)
      await closeOwn(task, done)
      // Reads show earlier changes by then.
      await pause(task.settleMs, task.signal)
      done.left = await leftOver(task)
      if (done.left.length === 0) return done
    } catch (error) {
      done.left = [`${task.rules.symbol} could not be asked about: ${String((error as Error).message)}`]
    }
    await pause(500 * tries, task.signal).catch(() => undefined)
  }
  return done
}

const isOwn = (prefix: string) => (order: OpenOrder) => order.clientId.startsWith(prefix)

async function cancelOwn({ account, prefix }: Task): Promise<number> {
  const own = (await account.openOrders()).filter(isOwn(prefix))
  for (const order of own) await account.cancel(order)
  return own.length
}

/** Returns the run's purchases less its sales. */
async function boughtBy({ account, sent }: Task): Promise<string> {
  // An id that was sent twice names one order, or two.
  const byOrder = new Map<string, string>()
  for (const one of sent) {
    const { orderId, quantity } = await account.boughtBy(one)
    byOrder.set(orderId, quantity)
  }
  return [...byOrder.values()].reduce(add, '0')
}

async function closeOwn(task: Task, done: CleanUp): Promise<void> {
  const { account, rules, bid, sent } = task
  const bought = await boughtBy(task)
  if (isZero(bought)) return
  const position = await account.position()
  // A position is never ended beyond what is there of it, whoever changed it meanwhile.
  if (position !== undefined && (isZero(position) || isNegative(position) !== isNegative(bought))) return
  const size = position === undefined ? absolute(bought) : least(absolute(bought), absolute(position))
  const quantity = floorToStep(size, rules.quantityStep)
  const isTooSmall = isLess(quantity, rules.minQuantity) || isLess(multiply(quantity, bid), rules.minNotional)
  if (position === undefined && isTooSmall) {
    done.dust = bought
    return
  }
  const side = isNegative(bought) ? 'buy' : 'sell'
  const clientId = task.newId()
  sent.push({ clientId })
  const closed = await account.close(side, quantity, clientId)
  if (closed.code !== 0) throw new Error(`the order that ends it was refused: ${closed.text.slice(0, 160)}`)
  done.closed = add(done.closed, side === 'sell' ? negate(quantity) : quantity)
  const rest = await restAfter(task)
  if (position === undefined) done.dust = rest
}

// Reads may be late: what was sold just now is waited for.
async function restAfter(task: Task): Promise<string> {
  const least = task.rules.minQuantity
  for (let tries = 0; ; tries++) {
    const rest = await boughtBy(task)
    if (isLess(absolute(rest), least) || tries === 10) return rest
    await pause(300, task.signal)
  }
}

async function leftOver(task: Task): Promise<string[]> {
  const { account, rules, prefix, bid } = task
  const left = (await account.openOrders())
    .filter(isOwn(prefix))
    .map(({ clientId, orderId }) => `the open order ${clientId} (${orderId}) of ${rules.symbol}`)
  const position = await account.position()
  if (position !== undefined && !isZero(position)) left.push(`a position of ${position} ${rules.symbol}`)
  if (position !== undefined) return left
  const bought = await boughtBy(task)
  if (!isLess(multiply(absolute(bought), bid), rules.minNotional))
    left.push(`${bought} ${rules.base} that were bought and not sold`)
  return left
}
