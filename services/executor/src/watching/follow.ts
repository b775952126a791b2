import { isOfAlert } from '@tripline/proto/client-order-id'
import type { BotId } from '@tripline/proto/id'
import type { Venue, VenueEvent } from '../venue/venue.ts'
import type { State } from './state.ts'

/** The bot's venue, whose stream is followed as long as there is a watch. */
export function venueOf(state: State, botId: BotId): Venue | undefined {
  const venue = state.pool.client(botId)?.venue
  const known = state.following.get(botId)
  if (known?.follow === venue?.follow) return venue
  known?.stop()
  state.following.delete(botId)
  if (venue?.follow === undefined) return venue
  const stop = venue.follow((event) => hear(state, botId, event))
  state.following.set(botId, { follow: venue.follow, stop })
  return venue
}

function hear({ running, lone }: State, botId: BotId, event: VenueEvent): void {
  for (const run of running.values()) {
    if (run.subject.botId !== botId) continue
    if (event.kind === 'gap') {
      if (!run.isLone()) run.hear({ of: 'gap' })
    } else if (isOfAlert(event.order.clientOrderId, run.subject.alertId)) {
      run.hear({ of: 'news', order: event.order })
    }
  }
  if (event.kind === 'gap') lone.check(botId)
}

/** Follows the bot's stream no more where it has no watch left. */
export function unfollow({ running, following }: State, botId: BotId): void {
  if ([...running.values()].some(({ subject }) => subject.botId === botId)) return
  following.get(botId)?.stop()
  following.delete(botId)
}
