import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '@tripline/kit/telemetry/log'
import { now } from '@tripline/kit/time/clock'
import type { CommandResult, EndedOutcome } from '@tripline/proto/command-result'
import { plain } from '@tripline/proto/decimal'
import type { ExecutionId } from '@tripline/proto/id'
import type { AccountReading } from '../domain/account/account.ts'
import type { Execution } from '../domain/execution/state.ts'
import { tradedAgainst } from '../domain/execution/traded-against.ts'
import { isClosedIn } from '../domain/group/closing.ts'
import { latestReadingMs } from '../domain/order/absence.ts'
import { placesOrders } from '../domain/resolve/command.ts'
import { withDeadline } from '../venue/http/with-deadline.ts'
import type { Venue } from '../venue/venue.ts'
import type { MarketWatches } from '../watching/market-watches.ts'
import type { Exit } from '../watching/watch-run.ts'

/** Longest wait of the lane for the watches of earlier orders. */
const watchedWithinMs = 10_000
/** Longest wait of the lane for the exchange to end them; their watches go on with that. */
const endedWithinMs = 2000
/** Time before another try to read the account. */
const askAgainMs = 500

/** Parts of a block's run that are needed. */
interface EndingRun {
  watches: Pick<MarketWatches, 'exits'>
  venue: Pick<Venue, 'read'>
  identity: { executionId: ExecutionId }
  log: Log
}

/**
 * The outcome of a command, once what was for a position that is closed with it is ended: the command behind it opens
 * another position, on which those orders would act. Requests are made only where there is such an order.
 */
export async function withEnded(
  execution: Execution,
  outcome: CommandResult,
  run: EndingRun,
): Promise<CommandResult> {
  try {
    const exits = await exitsOfClosed(execution, run)
    return exits.length === 0 ? outcome : withNamed(outcome, await endAll(exits))
  } catch (error) {
    const { executionId } = run.identity
    run.log.warn({ err: error, executionId }, 'orders of a position not ended yet that may be closed')
    return outcome
  }
}

/** The exits of what the command found closed, or closed. */
async function exitsOfClosed(execution: Execution, run: EndingRun): Promise<readonly Exit[]> {
  const { commands, outcomes, current, market } = execution
  const command = commands[outcomes.length]
  if (command === undefined || !placesOrders(command)) return []
  const against = tradedAgainst(execution)
  const { reading, startedAt } = current
  if (reading === undefined && against.length === 0) return []
  const exits = await withDeadline(run.watches.exits(against.length > 0), watchedWithinMs)
  const past = exits.filter(({ closes, closed }) => {
    const before = closes() === undefined ? closed() : undefined
    if (before === undefined || before.at < startedAt) return false
    if (against.includes(before.closes.side)) return true
    return reading !== undefined && isClosedIn(reading, before.closes, market)
  })
  const known = exits.flatMap((exit) => {
    const closes = exit.closes()
    return closes === undefined ? [] : [{ exit, closes }]
  })
  const found = known.filter(({ exit: { shownFrom }, closes }) => {
    if (closes.isEnding) return true
    const isShown = closes.isHeld && shownFrom <= startedAt
    return reading !== undefined && isShown && isClosedIn(reading, closes, market)
  })
  const open = known.filter((one) => against.includes(one.closes.side) && !found.includes(one))
  // On spot a sale that took exits back has read the account behind itself already.
  const before = market.kind === 'spot' ? undefined : reading
  const after = open.length === 0 ? undefined : await readAfter(market.symbol, before, run)
  const closed = open.filter(({ closes }) => after !== undefined && isClosedIn(after, closes, market))
  return [...past, ...[...found, ...closed].map(({ exit }) => exit)]
}

/** Returns the account by a reading that shows what was just traded: one that shows it as before is asked for again. */
async function readAfter(
  symbol: string,
  before: AccountReading | undefined,
  { venue }: EndingRun,
): Promise<AccountReading> {
  const until = now() + latestReadingMs
  for (;;) {
    const asked = venue.read(symbol, { scope: 'position', isUrgent: true })
    const reading = await withDeadline(asked, Math.max(askAgainMs, until - now()))
    const account = reading.outcome === 'read' ? reading.account : undefined
    if (account !== undefined && (before === undefined || !holdsTheSame(account, before))) return account
    if (now() >= until) throw new Error('the account cannot be read, or as it was before the trade alone')
    await sleep(askAgainMs)
  }
}

function holdsTheSame(one: AccountReading, other: AccountReading): boolean {
  const quantities = ({ position, hedged }: AccountReading): string[] =>
    [hedged?.long.quantity ?? position, hedged?.short.quantity ?? position].map(plain)
  return quantities(one).join() === quantities(other).join()
}

async function endAll(exits: readonly Exit[]): Promise<EndedOutcome[]> {
  const over = sleep(endedWithinMs, undefined, { ref: false })
  const ending = exits.map(async ({ subject, closed, endClosed, ended }): Promise<EndedOutcome[]> => {
    if (!(await endClosed())) return []
    await Promise.race([ended, over])
    const { clientOrderIds = [] } = closed() ?? {}
    const named = { execution_id: subject.executionId, command: subject.command }
    return clientOrderIds.length === 0 ? [] : [{ ...named, client_order_ids: [...clientOrderIds] }]
  })
  return (await Promise.all(ending)).flat()
}

/** The outcome, naming what ended with it where it has a place for that. */
function withNamed(outcome: CommandResult, ended: readonly EndedOutcome[]): CommandResult {
  const { result } = outcome
  if (ended.length === 0 || result === null) return outcome
  const hasPlace = 'client_order_id' in result || 'code' in result
  return hasPlace ? { ...outcome, result: { ...result, ended: [...ended] } } : outcome
}
