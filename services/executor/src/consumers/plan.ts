import type { Bus } from '@tripline/kit/bus'
import { answer } from '@tripline/kit/request'
import type { AlertBlock } from '@tripline/proto/alert'
import { planBlocks } from '@tripline/proto/executor-request'
import type { UserId } from '@tripline/proto/id'
import { nearest } from '@tripline/proto/language/suggestion'
import type { BlockPlan, PlannedMarket } from '@tripline/proto/plan'
import { limitsIn } from '../bot-limits.ts'
import type { AccountReading } from '../domain/account.ts'
import { checkBlock, type Finding } from '../domain/check.ts'
import type { Market } from '../domain/market.ts'
import { planCommands } from '../domain/plan.ts'
import type { BotDirectory } from '../store/bot-directory.ts'
import type { LastEntries } from '../store/last-entries.ts'
import type { BotClient, VenuePool } from '../venue/pool.ts'

export interface PlanDeps {
  bus: Bus
  pool: VenuePool
  directory: BotDirectory
  entries: Pick<LastEntries, 'of'>
}

/** Answers plans for the users of a partition that is ours; answers how to stop. */
export function answerPlans(deps: PlanDeps, partition: number): () => void {
  return answer(deps.bus, planBlocks(partition), async ({ userId, blocks }) => ({
    blocks: together(await Promise.all(blocks.map(async (block) => await planBlock(deps, userId, block)))),
  }))
}

/** What the check finds in one block keeps all of them from running. */
function together(plans: BlockPlan[]): BlockPlan[] {
  const first = plans.find(({ outcome }) => outcome === 'refused')
  if (first === undefined) return plans
  const error = `Nothing runs: ${first.label}(${first.symbol}) is refused`
  return plans.map((plan) =>
    plan.outcome === 'planned' ? { ...plan, outcome: 'refused', error_code: first.error_code, error } : plan,
  )
}

async function planBlock(deps: PlanDeps, userId: UserId, block: AlertBlock): Promise<BlockPlan> {
  const client = deps.directory.bot(userId, block.botId) && deps.pool.client(block.botId)
  if (client === undefined) {
    return emptyPlan(block, null, 'unknown', 'E404', `${block.label} cannot be reached on its exchange now`)
  }
  const market = client.venue.market(block.symbol)
  const findings = checkBlock(block.commands, {
    symbol: block.symbol,
    market,
    nearestSymbol: market === undefined ? nearest(block.symbol, client.venue.symbols()) : undefined,
  })
  const whole = findings.find(({ command }) => command === undefined)
  if (whole !== undefined) return emptyPlan(block, client, 'refused', whole.code, whole.message)
  return market === undefined
    ? emptyPlan(block, client, 'refused', 'E401', `${block.symbol} is not listed on this market`)
    : await planOn(deps, userId, block, client, market, findings)
}

async function planOn(
  { directory, entries }: PlanDeps,
  userId: UserId,
  block: AlertBlock,
  { venue, market: exchange }: BotClient,
  market: Market,
  findings: readonly Finding[],
): Promise<BlockPlan> {
  const { symbol, commands } = block
  const cancels = commands.some(({ type }) => type === 'cancel')
  const [read, listed] = await Promise.all([
    venue.read(symbol),
    cancels ? venue.openOrders(symbol) : undefined,
  ])
  const client = { market: exchange }
  if (read.outcome === 'unreachable') {
    return emptyPlan(block, client, 'unknown', 'E601', `The exchange could not be asked: ${read.cause}`)
  }
  if (read.outcome === 'refused') return emptyPlan(block, client, 'unknown', read.code, read.error)
  const lastEntry = entries.of(block.botId, symbol)
  const reading = { ...read.account, ...(lastEntry && { lastEntry }) }
  const open = listed?.outcome === 'read' ? listed.orders : undefined
  const limits = limitsIn(directory, userId, block)
  const [finding] = findings
  return {
    ...(finding === undefined
      ? emptyPlan(block, client, 'planned', null, null)
      : emptyPlan(block, client, 'refused', finding.code, finding.message)),
    market: marketView(market, reading),
    commands: planCommands(commands, { market, reading, open, limits, findings }),
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
