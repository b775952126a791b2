import { type Bus, hear } from '@tripline/kit/bus'
import type { DeliveryListener } from '@tripline/kit/delivery'
import { AnswerDelivery } from '@tripline/proto/intake-request'
import { answerDeliveredSubject } from '@tripline/proto/subject'
import { expiringMap } from '../store/expiring-map.ts'

// Longer than an answer takes without `wait`, together with the time in which its delivery may be taken back.
const listenMs = 20_000
const mostListeners = 20_000

/** Subscription to what the gateway publishes about the delivery of answers. */
export interface Deliveries {
  /** Calls back each time the gateway tells whether the caller of this request got its answer. */
  expect: (requestId: string, listener: DeliveryListener) => void
  stop: () => void
}

/** Subscribes to the deliveries of all answers, also those of other replicas, and passes on the expected ones. */
export function subscribeToDeliveries(bus: Bus, clock: () => number): Deliveries {
  const listeners = expiringMap<DeliveryListener>(listenMs, mostListeners)
  const stop = hear(bus, answerDeliveredSubject, (text) => {
    const delivery = readDelivery(bus, text)
    if (delivery !== undefined) listeners.get(delivery.id, clock())?.(delivery.isReceived)
  })
  return {
    expect: (requestId, listener) => listeners.set(requestId, listener, clock()),
    stop,
  }
}

function readDelivery(bus: Bus, text: string) {
  try {
    return AnswerDelivery.parse(JSON.parse(text))
  } catch (error) {
    bus.log.error({ err: error }, 'delivery is not readable')
    return undefined
  }
}
