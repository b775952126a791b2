import type { Bus } from '@tripline/kit/bus/bus'
import { serve } from '@tripline/kit/bus/request'
import { limitConcurrency } from '@tripline/kit/concurrency-limit'
import { now } from '@tripline/kit/time/clock'
import type { AlertBlock } from '@tripline/proto/alert'
import type { Command } from '@tripline/proto/alert-tree'
import { planBlocks } from '@tripline/proto/executor-request'
import type { UserId } from '@tripline/proto/id'
import type { BlockPlan, PlannedMarket } from '@tripline/proto/plan'
import type { AccountReading, Reading } from '../domain/account/account.ts'
import { lastEntriesIn } from '../domain/account/entry.ts'
import { mayBeForeseen } from '../domain/execution/foresee.ts'
import { reservedBy } from '../domain/group/own-exits.ts'
import type { Market } from '../domain/order/market.ts'
import { nearestSymbol } from '../domain/order/nearest-symbol.ts'
import type { OpenOrders } from '../domain/order/order.ts'
import { checkBlock } from '../domain/preview/check.ts'
import type { PlannedBlock, PlanScene } from '../domain/preview/plan.ts'
import { placesOrders } from '../domain/resolve/command.ts'
import type { Tasks } from '../side-thread/tasks.ts'
import type { BotDirectory } from '../store/bot-directory.ts'
import type { EntryStore } from '../store/entry-store.ts'
import type { BotClient, VenuePool } from '../venue/pool.ts'
import type { Watching } from '../watching/market-watches.ts'
import { limitsIn } from './bot-limits.ts'

export interface PlanDeps {
  bus: Bus
  pool: VenuePool
  directory: BotDirectory
  entries: Pick<EntryStore, 'read'>
  watching: Watching
  sideThread: Pick<Tasks, 'planBlocks'>
}

/** A block's plan: whole, or with commands that are planned on this scene yet. */
interface Draft {
  plan: BlockPlan
  scene?: PlanScene
}

/** Reads an account and its market for a symbol; blocks of one bot and symbol share it. */
type Read = (
  client: BotClient,
  block: AlertBlock,
) => Promise<[reading: Reading, listed: OpenOrders | undefined]>

// Each asks the exchange for all of its symbols.
const limits = {
  atOnce: 4,
  waiting: 32,
  refusal: 'Many messages are being previewed now, please try again in a moment',
}

/** Serves plans for the users of partitions that are ours, partition by partition; few at a time over all of them. */
export function planServer(deps: PlanDeps): (partition: number) => () => void {
  const limited = limitConcurrency(limits)
  return (partition) =>
    serve(deps.bus, planBlocks(partition), async ({ userId, blocks }) => ({
      blocks: together(await limited(async () => await planAll(deps, userId, blocks))),
    }))
}

/** The exchange is asked here, over the clients of the order path; the arithmetic of all commands is the thread's. */
async function planAll(deps: PlanDeps, userId: UserId, blocks: readonly AlertBlock[]): Promise<BlockPlan[]> {
  const read = readOnce(blocks)
  const drafts = await Promise.all(blocks.map(async (block) => await draftOf(deps, userId, block, read)))
  const scenes = blocks.flatMap((block, index) => {
    const scene = drafts[index]?.scene
    return scene === undefined ? [] : [{ lane: placeOf(block), commands: block.commands, scene }]
  })
  const planned = scenes.length === 0 ? [] : await deps.sideThread.planBlocks(scenes)
  return drafts.map(({ plan, scene }) => {
    const block = scene === undefined ? undefined : planned.shift()
    return block === undefined ? plan : { ...plan, ...outcomeOf(block), commands: block.commands }
  })
}

function outcomeOf({ refusal }: PlannedBlock): Pick<BlockPlan, 'outcome' | 'error_code' | 'error'> {
  return refusal === undefined
    ? { outcome: 'planned', error_code: null, error: null }
    : { outcome: 'refused', error_code: refusal.code, error: refusal.message }
}

function readOnce(blocks: readonly AlertBlock[]): Read {
  const cancels = placesWith(blocks, ({ type }) => type === 'cancel')
  const orders = placesWith(blocks, placesOrders)
  const readings = new Map<string, ReturnType<Read>>()
  return async ({ venue }, block) => {
    const place = placeOf(block)
    const known =
      readings.get(place) ??
      Promise.all([
        venue.read(block.symbol, { isBandPriceAsked: orders.has(place) }),
        cancels.has(place) ? venue.openOrders(block.symbol) : undefined,
      ])
    readings.set(place, known)
    return await known
  }
}

/** The bots and symbols of which there is such a command. */
function placesWith(blocks: readonly AlertBlock[], isSuch: (command: Command) => boolean): Set<string> {
  return new Set(blocks.filter(({ commands }) => commands.some(isSuch)).map(placeOf))
}

function placeOf({ botId, symbol }: AlertBlock): string {
  return `${botId} ${symbol}`
}

/** The refusal of one block prevents all of them from running. */
function together(plans: BlockPlan[]): BlockPlan[] {
  const first = plans.find(({ outcome }) => outcome === 'refused')
  if (first === undefined) return plans
  const error = `Nothing runs: ${first.label}(${first.symbol}) is refused`
  return plans.map((plan) =>
    plan.outcome === 'planned' ? { ...plan, outcome: 'refused', error_code: first.error_code, error } : plan,
  )
}

async function draftOf(deps: PlanDeps, userId: UserId, block: AlertBlock, read: Read): Promise<Draft> {
  const client = deps.directory.bot(userId, block.botId) && deps.pool.client(block.botId)
  const problem = deps.pool.problemOf(block.botId)
  if (problem !== undefined)
    return { plan: emptyPlan(block, null, 'refused', 'E406', `${block.label} cannot trade: ${problem}`) }
  if (client === undefined) {
    const error = `${block.label} cannot be reached on its exchange now`
    return { plan: emptyPlan(block, null, 'unknown', 'E601', error) }
  }
  const market = client.venue.market(block.symbol)
  const findings = checkBlock(block.commands, {
    symbol: block.symbol,
    market,
    meant: market === undefined ? nearestSymbol(block.symbol, client.venue) : undefined,
  })
  const whole = findings.find(({ command }) => command === undefined)
  if (whole !== undefined) return { plan: emptyPlan(block, client, 'refused', whole.code, whole.message) }
  if (market === undefined) {
    const error = `${block.symbol} is not listed on this market`
    return { plan: emptyPlan(block, client, 'refused', 'E401', error) }
  }
  const [answer, listed] = await read(client, block)
  if (answer.outcome === 'unreachable') {
    const error = `The exchange could not be asked: ${answer.cause}`
    return { plan: emptyPlan(block, client, 'unknown', 'E601', error) }
  }
  if (answer.outcome === 'refused')
    return { plan: emptyPlan(block, client, 'unknown', answer.code, answer.error) }
  // Users who try such a message may send it next: then it is judged on what is known by then.
  if (mayBeForeseen(block.commands, market)) client.venue.knownNow?.(block.symbol, 'position')
  const entries = await deps.entries.read({ userId, ...block })
  const open = listed?.outcome === 'read' ? listed.orders : undefined
  const limits = limitsIn(deps.directory, userId, block)
  const plan = emptyPlan(block, client, 'planned', null, null)
  const { botId, symbol } = block
  const place = { userId, botId, symbol, accountKey: client.accountKey }
  const own = market.kind === 'spot' ? await deps.watching.at(place).ownExits() : []
  const lastEntries = lastEntriesIn(entries, undefined, now())
  const reading = { ...answer.account, lastEntries, reserved: reservedBy(own) }
  return {
    plan: { ...plan, market: marketView(market, reading) },
    scene: { market, reading, open, own, limits, findings },
  }
}

function marketView(market: Market, { bid, ask, mark }: AccountReading): PlannedMarket {
  return {
    base: market.base,
    quote: market.quote,
    quantity_step: market.quantityStep,
    min_quantity: market.minQuantity,
    max_quantity: market.maxQuantity,
    price_tick: market.priceTick,
    min_value: market.minNotional,
    bid,
    ask,
    mark,
  }
}

function emptyPlan(
  { label, symbol }: AlertBlock,
  client: Pick<BotClient, 'market'> | null,
  outcome: BlockPlan['outcome'],
  code: string | null,
  error: string | null,
): BlockPlan {
  return {
    label,
    symbol,
    exchange: client?.market ?? null,
    market: null,
    outcome,
    commands: [],
    error_code: code,
    error,
  }
}
