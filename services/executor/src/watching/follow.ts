import { isOfAlert } from '@tripline/proto/client-order-id'
import type { BotId } from '@tripline/proto/id'
import type { Venue, VenueEvent } from '../venue/venue.ts'
import type { WatchesState } from './state.ts'
import type { WatchRun } from './watch-run.ts'

/** The bot's venue, whose stream is followed as long as there is a watch. */
export function venueOf(state: WatchesState, botId: BotId): Venue | undefined {
  const venue = state.pool.client(botId)?.venue
  const known = state.following.get(botId)
  if (known?.follow === venue?.follow) return venue
  known?.stop()
  state.following.delete(botId)
  if (venue?.follow === undefined) return venue
  const stop = venue.follow((event) => receive(state, botId, event))
  state.following.set(botId, { follow: venue.follow, stop })
  return venue
}

/** Has a watch follow the stream that its venue has, and receive what that reported before. */
export function catchUp(state: WatchesState, run: WatchRun): boolean {
  const venue = venueOf(state, run.subject.botId)
  return run.catchUp((ref) => venue?.currentUpdateOf?.(ref))
}

function receive(state: WatchesState, botId: BotId, event: VenueEvent): void {
  const runs = [...state.running.ofBot(botId)]
  if (event.kind === 'order') {
    const { order } = event
    state.closed.receive(botId, order)
    for (const run of runs)
      if (isOfAlert(order.clientOrderId, run.subject.alertId)) run.receive({ of: 'update', order })
    return
  }
  state.closed.check(botId)
  // A stream that had followers before has reported an order that was placed meanwhile.
  const currentUpdateOf = state.pool.client(botId)?.venue.currentUpdateOf
  const behind = runs.filter((run) => !run.catchUp((ref) => currentUpdateOf?.(ref)))
  for (const run of behind) if (!run.isLone()) run.receive({ of: 'gap' })
  if (behind.some((run) => run.isLone() && !run.isAwaited())) state.lone.check(botId)
}

/** Follows the bot's stream no more where it has no watch left. */
export function unfollow({ running, following }: WatchesState, botId: BotId): void {
  const [another] = running.ofBot(botId)
  if (another !== undefined) return
  following.get(botId)?.stop()
  following.delete(botId)
}
