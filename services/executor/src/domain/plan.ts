import { absolute, add, divide, isZero, multiply, negate } from '@tripline/proto/decimal'
import type { Command } from '@tripline/proto/language/tree'
import type { PlannedCommand, PlannedOrder } from '@tripline/proto/plan'
import type { AccountReading } from './account.ts'
import type { Finding } from './check.ts'
import type { Market } from './market.ts'
import type { BotLimits } from './permit.ts'
import { type OrderCommand, placesOrders, resolveCommand } from './resolve/command.ts'
import type { ResolvedOrder } from './resolve/resolution.ts'
import { isExit, reduces } from './sizing.ts'

/** What commands are planned on. */
export interface PlanScene {
  market: Market
  reading: AccountReading
  limits: BotLimits
  findings: readonly Finding[]
}

/**
 * What the commands of a block would do, one after the other: each is resolved against the position that the market
 * orders before it would leave. Behind a refusal everything is skipped, as it would be.
 */
export function planCommands(commands: readonly Command[], scene: PlanScene): PlannedCommand[] {
  let { reading } = scene
  let isRefused = false
  return commands.map((command, index) => {
    if (isRefused) return planned(command, 'skipped')
    const finding = scene.findings.find((candidate) => candidate.command === index)
    const plan = finding
      ? refused(command, finding.code, finding.message)
      : planCommand(command, { ...scene, reading })
    isRefused = plan.outcome === 'refused'
    for (const order of plan.orders) reading = afterOrder(reading, order)
    return plan
  })
}

function planCommand(command: Command, scene: PlanScene): PlannedCommand {
  if (!placesOrders(command)) return { ...planned(command, 'acts'), note: deed(command, scene.market) }
  const resolution = resolveCommand(command, scene.market, scene.reading)
  switch (resolution.outcome) {
    case 'nothing':
      return { ...planned(command, 'nothing'), note: resolution.note }
    case 'denied':
      return refused(command, resolution.code, resolution.error)
    case 'orders':
      return permitted(command, resolution.orders, scene)
  }
}

/** Pausing lets pass what only shrinks the position. */
function permitted(
  command: Command,
  orders: readonly ResolvedOrder[],
  { limits, reading }: PlanScene,
): PlannedCommand {
  if (limits.tradingState === 'halted') return refused(command, 'E516', 'The bot is halted')
  const mayPass = ({ side, quantity, reduceOnly }: ResolvedOrder): boolean =>
    limits.tradingState === 'active' || reduceOnly || isExit(side, quantity, reading.position)
  if (!orders.every(mayPass)) return refused(command, 'E516', 'The bot only reduces positions now')
  return { ...planned(command, 'orders'), orders: orders.map(orderView) }
}

function deed(command: Exclude<Command, OrderCommand>, { symbol }: Market): string {
  switch (command.type) {
    case 'cancel': {
      const which = command.which === 'all' ? 'every open order' : `open orders (${command.which})`
      return `cancels ${which} of ${symbol}`
    }
    case 'balance':
      return 'tells the balance'
    case 'wait':
      return `waits ${command.durationMs / 1000} s`
    case 'exchangeSettings':
      return `changes settings of ${symbol}`
  }
}

function planned(command: Command, outcome: PlannedCommand['outcome']): PlannedCommand {
  return { command: command.type, outcome, orders: [], note: null, error_code: null, error: null }
}

function refused(command: Command, code: string, error: string): PlannedCommand {
  return { ...planned(command, 'refused'), error_code: code, error }
}

function orderView(order: ResolvedOrder): PlannedOrder {
  const { type, side, quantity, quoteQuantity, price, triggerPrice, trigger, timeInForce } = order
  return {
    type,
    side,
    quantity,
    quote_quantity: quoteQuantity,
    price,
    trigger_price: triggerPrice,
    trigger,
    time_in_force: timeInForce,
    reduce_only: order.reduceOnly,
    position_side: order.positionSide,
    sizing: order.sizing,
    pricing: order.pricing,
    warnings: [...order.warnings],
  }
}

/** The account once a market order is filled where the market stands; other orders change nothing at once. */
function afterOrder(reading: AccountReading, order: PlannedOrder): AccountReading {
  if (order.type !== 'market') return reading
  const price = order.side === 'buy' ? reading.ask : reading.bid
  const quantity = order.quote_quantity === undefined ? order.quantity : divide(order.quote_quantity, price)
  const traded = order.side === 'buy' ? quantity : negate(quantity)
  const side = order.position_side
  if (side === 'both' || reading.hedged === undefined) {
    const { position, entryPrice } = reading
    return { ...reading, ...positionAfter(position, entryPrice, traded, price) }
  }
  const before = reading.hedged[side]
  const after = positionAfter(before.quantity, before.entryPrice, traded, price)
  const held = { ...before, quantity: after.position, entryPrice: after.entryPrice }
  return { ...reading, hedged: { ...reading.hedged, [side]: held } }
}

/** A position after a trade; a flip and a first trade are entered at its price, growth is averaged. */
function positionAfter(
  position: string,
  entryPrice: string | null,
  traded: string,
  price: string,
): Pick<AccountReading, 'position' | 'entryPrice'> {
  const after = add(position, traded)
  if (isZero(after)) return { position: after, entryPrice: null }
  const shrank = reduces(traded.startsWith('-') ? 'sell' : 'buy', position)
  const flipped = shrank && position.startsWith('-') !== after.startsWith('-')
  if (entryPrice === null || flipped) return { position: after, entryPrice: price }
  if (shrank) return { position: after, entryPrice }
  const cost = add(multiply(absolute(position), entryPrice), multiply(absolute(traded), price))
  return { position: after, entryPrice: divide(cost, absolute(after)) }
}
