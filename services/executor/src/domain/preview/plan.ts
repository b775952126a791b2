import type { Command } from '@tripline/proto/alert-tree'
import { add, isLess, isZero, negate, plain } from '@tripline/proto/decimal'
import type { AlertId } from '@tripline/proto/id'
import type { PlannedCommand } from '@tripline/proto/plan'
import { type AccountReading, freeIn } from '../account/account.ts'
import { needDenial, needOf } from '../account/funds.ts'
import { afterBlock } from '../account/last-entry.ts'
import { type BotLimits, permit } from '../account/permit.ts'
import { isAgainst } from '../account/position.ts'
import { accountAfter, accountAfterEnding, tradesAtOnce } from '../execution/account-after.ts'
import { foreseeRefusal } from '../execution/foresee.ts'
import { besideOwn, maySell, wantedOf } from '../execution/taking-back.ts'
import { type Group, groupIn } from '../group/group.ts'
import { chosenFrom, coinsOf, leftOf, type OwnExit, orderWords, reservedBy } from '../group/own-exits.ts'
import type { Decision } from '../order/attempt.ts'
import type { Market } from '../order/market.ts'
import { isProtective, type OrderPlan, restingOrder, type VenueOrder } from '../order/order.ts'
import { type OrderCommand, placesOrders } from '../resolve/command.ts'
import { type CommandContext, decide } from '../resolve/decide.ts'
import type { Finding } from './check.ts'
import { planAct } from './plan-act.ts'
import { cancelView, ended, orderView, type PlanStep, planned, refused } from './planned.ts'

/** Basis of planned commands. */
export interface PlanScene {
  market: Market
  reading: AccountReading
  /** The symbol's open orders; undefined where the exchange did not report them. */
  open: readonly VenueOrder[] | undefined
  /** The bot's own orders that sell what it holds. */
  own?: readonly OwnExit[]
  limits: BotLimits
  findings: readonly Finding[]
}

/** The alert that a plan is of, as if there was one. */
const plannedAlertId = '00000000000000000000000000' as AlertId

/** Plan of a block, and the finding that is known to prevent all of its alert from running. */
export interface PlannedBlock {
  commands: PlannedCommand[]
  refusal: Finding | undefined
}

/** The commands of one block and what they are planned on; blocks of one bot and market have the same lane. */
export interface BlockScene {
  lane: string
  commands: readonly Command[]
  scene: PlanScene
}

/** Position, money and open orders behind the commands of a block. */
type Left = Pick<PlanScene, 'reading' | 'open' | 'own'>

/** Plans the blocks of a message; one behind another in its lane is planned on what that leaves, since it runs after it. */
export function planBlocks(blocks: readonly BlockScene[]): PlannedBlock[] {
  const leftIn = new Map<string, Left>()
  return blocks.map(({ lane, commands, scene }) => {
    const before = leftIn.get(lane)
    const { left, ...planned } = planBlock(commands, { ...scene, ...before }, before === undefined)
    const { lastEntries = {} } = left.reading
    leftIn.set(lane, { ...left, reading: { ...left.reading, lastEntries: afterBlock(lastEntries) } })
    return planned
  })
}

/**
 * Plans a block: where one of its commands is known to be refused behind an entry, nothing of it runs. The account's
 * part in that is known of the first block of a lane alone, as when the alert comes.
 */
function planBlock(
  commands: readonly Command[],
  scene: PlanScene,
  isFirst: boolean,
): PlannedBlock & { left: Left } {
  const { market, reading, findings } = scene
  const judged = { market, accounts: [reading], isPriceAlone: !isFirst }
  const refusal = findings[0] ?? foreseeRefusal(commands, judged)
  const all = findings.length > 0 || refusal === undefined ? findings : [refusal]
  return { ...planCommands(commands, { ...scene, findings: all }), refusal }
}

/**
 * Plans the commands of a block, one after the other, and what they leave: each is resolved against what those before
 * it would leave. Behind a refusal everything is skipped, as it would be; where the check finds anything, nothing runs
 * at all.
 */
export function planCommands(
  commands: readonly Command[],
  scene: PlanScene,
): { commands: PlannedCommand[]; left: Left } {
  const { findings } = scene
  let { reading, open, own = [] } = scene
  if (findings.length > 0) {
    const refusals = commands.map((command, index) => found(command, index, findings))
    return { commands: refusals, left: { reading, open, own } }
  }
  let isRefused = false
  const plans = commands.map((command, index) => {
    if (isRefused) return planned(command, 'skipped')
    const step = planCommand(command, commands.slice(0, index), { ...scene, reading, open, own })
    isRefused = step.plan.outcome === 'refused'
    reading = step.reading ?? reading
    open = step.open ?? open
    own = ownAfter(step.own ?? own, command, step.plan)
    return step.plan
  })
  return { commands: plans, left: { reading, open, own } }
}

/** The bot's own exits behind a command: a cancel ends some. */
function ownAfter(
  own: readonly OwnExit[],
  command: Command,
  { cancels }: PlannedCommand,
): readonly OwnExit[] {
  if (command.type !== 'cancel') return own
  const ended = new Set(cancels.map(({ client_order_id }) => client_order_id))
  return own.filter(({ orders }) => !orders.some(({ clientOrderId }) => ended.has(clientOrderId)))
}

function found(command: Command, index: number, findings: readonly Finding[]): PlannedCommand {
  const finding = findings.find((candidate) => candidate.command === index)
  return finding === undefined ? planned(command, 'skipped') : refused(command, finding.code, finding.message)
}

function planCommand(command: Command, before: readonly Command[], scene: PlanScene): PlanStep {
  if (!placesOrders(command)) return planAct(command, plannedAlertId, scene)
  const { market } = scene
  const place: CommandContext = { alertId: plannedAlertId, block: 0, command: before.length, market, before }
  return planTakingBack(command, place, scene) ?? planOrders(command, place, scene)
}

/**
 * A sale that takes own exits back first: it is planned as if these were gone, and behind it they stand again for the coins
 * that are left. Undefined for any other command.
 */
function planTakingBack(
  command: OrderCommand,
  place: CommandContext,
  scene: PlanScene,
): PlanStep | undefined {
  const { market, own = [] } = scene
  const before = besideOwn(scene.reading, market.base, own)
  const wanted = maySell(command, market) ? wantedOf(command, place, before) : undefined
  const taken = wanted === undefined ? [] : chosenFrom(own, wanted)
  if (taken.length === 0) return undefined
  const sale = planOrders(command, place, { ...scene, reading: withCoins(coinsOf(taken), before, market) })
  if (sale.plan.outcome !== 'orders') return sale
  const { reading = before } = sale
  const left = leftOf(taken, freeIn(reading, market.base))
  const returned = taken.map((exit, index) => ({ ...exit, coins: left[index]?.left ?? '0' }))
  const standing = returned.filter(({ coins }) => !isLess(coins, market.minQuantity))
  const ownAfter = [...own.filter((exit) => !taken.includes(exit)), ...standing]
  const locked = withCoins(negate(coinsOf(standing)), reading, market)
  const cancels = taken.flatMap(({ orders }) => orders.map(cancelView))
  const note = `takes back ${taken.map((exit) => takenWords(exit, standing)).join('; ')}`
  const plan = { ...sale.plan, cancels, note }
  return { ...sale, plan, reading: { ...locked, reserved: reservedBy(ownAfter) }, own: ownAfter }
}

function takenWords({ name, orders }: OwnExit, standing: readonly OwnExit[]): string {
  const orderTexts = orders.map(orderWords).join(' with ')
  const again = standing.find((exit) => exit.name === name)
  return again === undefined ? orderTexts : `${orderTexts}, which stands again for ${plain(again.coins)}`
}

/** The account with so many more coins that are free. */
function withCoins(coins: string, reading: AccountReading, { base }: Market): AccountReading {
  const holdings = reading.holdings.map((held) =>
    held.coin === base ? { ...held, free: add(held.free, coins) } : held,
  )
  return { ...reading, holdings }
}

function planOrders(command: OrderCommand, place: CommandContext, scene: PlanScene): PlanStep {
  const { market, reading, limits } = scene
  const decided = decide(command, place, reading)
  if (decided === 'read') throw new Error('an account that was read is not enough')
  if ('ending' in decided) {
    const { ending } = decided
    return { plan: ended(command, ending), reading: accountAfterEnding(reading, command, ending) }
  }
  const plans = decided.orders.map(({ plan }) => plan)
  const group = groupIn(command, plans, market)
  if (group !== undefined && 'status' in group) return { plan: ended(command, group) }
  const permitted = permit(plans, reading, 0, limits)
  if (permitted === 'read') throw new Error('an account that was read is not enough')
  if (permitted !== 'placed') return { plan: ended(command, permitted) }
  if (plans.some((plan) => reducesNothing(plan, reading)))
    return { plan: refused(command, 'E510', `there is no ${market.symbol} position on that side to reduce`) }
  return planPlaced(command, decided.orders, group, scene)
}

/**
 * True for an order without a trigger against a side of hedge mode on which nothing is held (-2022 of Binance's error
 * codes, 110017 of Bybit's). A run leaves it to the exchange, since its reading may be older than what it is to reduce.
 */
function reducesNothing(plan: OrderPlan, { hedged }: AccountReading): boolean {
  const { side, positionSide, triggerPrice } = plan
  if (positionSide === 'both' || hedged === undefined || triggerPrice !== undefined) return false
  const { quantity } = hedged[positionSide]
  return isZero(quantity) && isAgainst({ positionSide, side }, { position: quantity })
}

/** Orders that may be placed, unless the money for one of them is not there. */
function planPlaced(
  command: OrderCommand,
  decisions: readonly Decision[],
  group: Group | undefined,
  { market, reading, open, own = [] }: PlanScene,
): PlanStep {
  // The coins of a pair that the exchange manages are locked once, and one that is held locks none.
  const isPair = group?.keeper === 'venue'
  const placed = group?.turn === undefined ? decisions : decisions.slice(0, 1)
  let after = reading
  for (const decision of decisions) {
    const need = needOf(decision.plan, market, isPair ? reading : after)
    const denial = need && needDenial(need, isPair ? reading : after)
    if (denial !== undefined) return { plan: refused(command, denial.code, denial.error) }
    if (placed.includes(decision)) after = accountAfter(isPair ? reading : after, decision, market)
  }
  const plan = { ...planned(command, 'orders'), orders: decisions.map(orderView), group: groupView(group) }
  const resting = placed.filter((decision) => !tradesAtOnce(decision)).map(({ plan }) => restingOrder(plan))
  const exit = plannedExit(resting, decisions, market)
  return { plan, reading: after, ...(open && { open: [...open, ...resting] }), own: [...own, ...exit] }
}

/** Returns the resting spot sale of a command: a sale behind it takes that back, too, after what was there before. */
function plannedExit(
  resting: readonly VenueOrder[],
  decisions: readonly Decision[],
  { kind, features }: Market,
): OwnExit[] {
  const [first] = resting
  if (kind !== 'spot' || first?.side !== 'sell') return []
  return [
    {
      name: `planned ${first.clientOrderId}`,
      orders: resting,
      coins: first.quantity,
      isLocking: features.nativeOco || resting.some(({ triggerPrice }) => triggerPrice === null),
      limitsLoss: decisions.some(({ plan }) => isProtective(plan)),
    },
  ]
}

function groupView(group: Group | undefined): PlannedCommand['group'] {
  if (group === undefined) return null
  const { keeper, rules } = group
  return { kept_by: keeper, mode: rules.mode, on_partial: rules.onPartial }
}
