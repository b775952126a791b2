import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '@tripline/kit/telemetry/log'
import { now } from '@tripline/kit/time/clock'
import { isZero } from '@tripline/proto/decimal'
import type { BotId } from '@tripline/proto/id'
import { isClosedIn } from '../domain/group/closing.ts'
import type { VenueOrder } from '../domain/order/order.ts'
import type { Venue } from '../venue/venue.ts'
import type { BotSymbol } from './key.ts'
import { createLooks } from './looks.ts'
import type { RunningByBot } from './running.ts'
import type { WatchRun } from './watch-run.ts'

/** Time from an order's trade to the look at its stream's report on the position. */
const updatesAfterMs = 20
/** Time before the account is read where that is not enough; a report of its stream by then spares a request. */
const readAfterMs = 250
/** Time before another look where the account could not be read. */
const againMs = 1000

/** A watch whose orders can only make a position smaller. */
type Exit = Pick<WatchRun, 'shownFrom' | 'closes' | 'sawHeld' | 'endClosed'> & { subject: BotSymbol }

export interface ClosedPositionsOptions {
  running: Pick<RunningByBot<Exit>, 'ofBot' | 'at'>
  venueOf: (botId: BotId) => Venue | undefined
  log: Log
}

/** The closed positions among those that watches are for. */
export type ClosedPositions = ReturnType<typeof createClosedPositions>

/**
 * Ends the orders that were for a position once that is closed, by any cause. Ended orders were decided on before the
 * reading was asked for that shows it: orders for what is opened meanwhile are not among them.
 */
export function createClosedPositions(options: ClosedPositionsOptions) {
  const look = createLooks(options.log, 'orders of a closed position not ended', async (place, mine) => {
    await sleep(updatesAfterMs, undefined, { ref: false })
    await endReportedClosed(options, place)
    await sleep(readAfterMs - updatesAfterMs, undefined, { ref: false })
    mine.isDue = false
    return await endReadClosed(options, place)
  })
  const lookAt = (botId: BotId, isMeant: (exit: Exit) => boolean): void => {
    const exits = openOf(options.running.ofBot(botId)).filter(isMeant)
    for (const symbol of new Set(exits.map(({ subject }) => subject.symbol))) void look({ botId, symbol })
  }
  return {
    /** Called with a reported order of the bot's account: the position that it traded against may be closed. */
    receive: (botId: BotId, { side, filled }: Pick<VenueOrder, 'side' | 'filled'>): void => {
      const against = side === 'sell' ? 'long' : 'short'
      if (!isZero(filled)) lookAt(botId, (exit) => exit.closes()?.side === against)
    },
    /** Looks at everything of the bot, since it may have been closed without a report. */
    check: (botId: BotId): void => lookAt(botId, () => true),
    /** The same at one of its symbols. */
    checkAt: ({ botId, symbol }: BotSymbol) => void look({ botId, symbol }),
  }
}

/** Those of which the orders are not being ended yet. */
function openOf(exits: Iterable<Exit>): Exit[] {
  return [...exits].filter((exit) => exit.closes()?.isEnding === false)
}

function exitsAt({ running }: ClosedPositionsOptions, place: BotSymbol): Exit[] {
  return openOf(running.at(place))
}

/** Ends the orders for a position that the stream reported, as surely as a reading would, to be closed. */
async function endReportedClosed(state: ClosedPositionsOptions, place: BotSymbol): Promise<void> {
  const positionNow = state.venueOf(place.botId)?.positionNow
  const closed = exitsAt(state, place).filter((exit) => {
    const closes = exit.closes()
    if (closes?.isHeld !== true || exit.shownFrom > now()) return false
    const quantity = positionNow?.(
      place.symbol,
      closes.positionSide === 'both' ? undefined : closes.positionSide,
    )
    return quantity !== undefined && isZero(quantity)
  })
  await Promise.all(closed.map(async ({ endClosed }) => await endClosed()))
}

/** The same by a reading; returns when to look again, in ms, where that is not known of all. */
async function endReadClosed(state: ClosedPositionsOptions, place: BotSymbol): Promise<number | undefined> {
  const exits = exitsAt(state, place)
  const venue = state.venueOf(place.botId)
  if (exits.length === 0) return undefined
  const askedAt = now()
  const market = venue?.market(place.symbol)
  const reading = await venue?.read(place.symbol, { scope: 'position' })
  if (market === undefined || reading?.outcome !== 'read') return againMs
  const closed: Exit[] = []
  for (const exit of exits) {
    const closes = exit.closes()
    if (closes === undefined) continue
    if (!isClosedIn(reading.account, closes, market)) exit.sawHeld()
    else if (closes.isHeld) closed.push(exit)
  }
  const isShown = ({ shownFrom }: Exit): boolean => shownFrom <= askedAt
  await Promise.all(closed.filter(isShown).map(async ({ endClosed }) => await endClosed()))
  const [unsure] = closed
    .filter((exit) => !isShown(exit))
    .toSorted((one, other) => one.shownFrom - other.shownFrom)
  return unsure && Math.max(againMs, unsure.shownFrom - now())
}
