import { type Bus, publish, subscribe } from '@tripline/kit/bus/bus'
import { expiringMap } from '@tripline/kit/time/expiring-map'
import { type AnswerDelivery, deliveryRetentionMs } from '@tripline/proto/intake-request'
import { answerDeliveredSubject, deliveriesAskedSubject } from '@tripline/proto/subject'

const mostRemembered = 20_000

/** Publishes which answers reached their callers. */
export interface Deliveries {
  publish: (delivery: AnswerDelivery) => void
  stop: () => void
}

/**
 * Publishes each delivery at once, and all of the last time again when an intake asks: the one that gave the answers
 * may have died before it received their outcome.
 */
export function openDeliveries(bus: Bus, clock: () => number): Deliveries {
  const remembered = expiringMap<string>(deliveryRetentionMs, mostRemembered)
  const stop = subscribe(bus, deliveriesAskedSubject, () => {
    for (const [, text] of remembered.entries(clock())) publish(bus, answerDeliveredSubject, text)
  })
  return {
    publish: (delivery) => {
      const text = JSON.stringify(delivery)
      remembered.set(delivery.id, text, clock())
      publish(bus, answerDeliveredSubject, text)
    },
    stop,
  }
}
