import type { Bus } from '@tripline/kit/bus'
import { answer } from '@tripline/kit/request'
import type { AlertBlock } from '@tripline/proto/alert'
import { planBlocks } from '@tripline/proto/executor-request'
import type { UserId } from '@tripline/proto/id'
import { nearest } from '@tripline/proto/language/suggestion'
import type { BlockPlan } from '@tripline/proto/plan'
import { limitsIn } from '../bot-limits.ts'
import { checkBlock, type Finding } from '../domain/check.ts'
import type { Market } from '../domain/market.ts'
import { planCommands } from '../domain/plan.ts'
import type { BotDirectory } from '../store/bot-directory.ts'
import type { BotClient, VenuePool } from '../venue/pool.ts'

export interface PlanDeps {
  bus: Bus
  pool: VenuePool
  directory: BotDirectory
}

/** Answers plans for the users of a partition that is ours; answers how to stop. */
export function answerPlans(deps: PlanDeps, partition: number): () => void {
  return answer(deps.bus, planBlocks(partition), async ({ userId, blocks }) => ({
    blocks: await Promise.all(blocks.map(async (block) => await planBlock(deps, userId, block))),
  }))
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
  { directory }: PlanDeps,
  userId: UserId,
  block: AlertBlock,
  client: BotClient,
  market: Market,
  findings: readonly Finding[],
): Promise<BlockPlan> {
  const reading = await client.venue.read(block.symbol)
  if (reading.outcome === 'unreachable') {
    const error = `The exchange could not be asked: ${reading.cause}`
    return emptyPlan(block, client, 'unknown', 'E601', error)
  }
  if (reading.outcome === 'refused') return emptyPlan(block, client, 'refused', reading.code, reading.error)
  const limits = limitsIn(directory, userId, block)
  const commands = planCommands(block.commands, { market, reading: reading.account, limits, findings })
  return { ...emptyPlan(block, client, 'planned', null, null), commands }
}

function emptyPlan(
  { label, symbol }: AlertBlock,
  client: BotClient | null,
  outcome: BlockPlan['outcome'],
  code: string | null,
  error: string | null,
): BlockPlan {
  return {
    label,
    symbol,
    exchange: client?.market ?? null,
    outcome,
    commands: [],
    error_code: code,
    error,
  }
}
