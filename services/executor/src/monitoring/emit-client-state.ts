import { type Bus, store } from '@tripline/kit/bus/bus'
import { now } from '@tripline/kit/time/clock'
import type { ClientEvent } from '@tripline/proto/event'
import { exchangeMarketOf } from '@tripline/proto/exchange'
import type { UserId } from '@tripline/proto/id'
import { eventSubject } from '@tripline/proto/subject'
import type { ClientListener } from '../venue/pool.ts'

const storeMs = { attemptMs: 1000, deadlineMs: 5000 }

/** Emits the changes of the clients of bots that are ours; a change that cannot be stored is dropped. */
export function clientStateEmitter(bus: Bus, isOurs: (userId: UserId) => boolean): ClientListener {
  return ({ userId, bot }, { state, tookMs, problem }) => {
    const exchange = exchangeMarketOf(bot.exchange, bot.marketType)
    if (exchange === undefined || !isOurs(userId)) return false
    const at = now()
    const event: ClientEvent = {
      kind: 'client.changed',
      eventId: `${bot.id}.client.${at}`,
      at,
      userId,
      botId: bot.id,
      label: bot.label,
      exchange,
      state,
      ...(tookMs !== undefined && { tookMs: Number(tookMs.toFixed(3)) }),
      ...(problem !== undefined && { problem }),
    }
    store(bus, eventSubject(userId, bot.id), JSON.stringify(event), {
      messageId: event.eventId,
      ...storeMs,
    }).catch((error: unknown) =>
      bus.log.warn({ err: error, botId: bot.id, state }, 'client state not published'),
    )
    return true
  }
}
