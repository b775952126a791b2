import { type Bus, publish, subscribe } from '@tripline/kit/bus/bus'
import type { DeliveryListener } from '@tripline/kit/http/delivery'
import { expiringMap } from '@tripline/kit/time/expiring-map'
import type { AlertId } from '@tripline/proto/id'
import { AnswerDelivery, deliveryRetentionMs } from '@tripline/proto/intake-request'
import { answerDeliveredSubject, deliveriesAskedSubject } from '@tripline/proto/subject'

// Longer than an answer takes without `wait`, together with the time in which its delivery may be taken back.
const listenMs = 20_000
const mostListeners = 20_000
const mostAnswered = 20_000

/** Subscription to what the gateway publishes about the delivery of answers. */
export interface Deliveries {
  /** Calls back each time the gateway reports whether the caller of this request got its answer. */
  expect: (requestId: string, listener: DeliveryListener) => void
  /** Whether a caller got an answer to this alert, whichever process gave it. */
  isAnswered: (alertId: AlertId) => boolean
  stop: () => void
}

/**
 * Subscribes to the deliveries of all answers, also those of other replicas, and passes on the expected ones. Those of
 * the last time are asked for: a process that died may have left answers that nobody received. An answer that came
 * after `latestMs` counts as lost.
 */
export function subscribeToDeliveries(bus: Bus, clock: () => number, latestMs: number): Deliveries {
  const listeners = expiringMap<DeliveryListener>(listenMs, mostListeners)
  // By alert: the request whose answer arrived.
  const answered = expiringMap<string>(deliveryRetentionMs, mostAnswered)
  const note = ({ id, alertId }: AnswerDelivery, isReceived: boolean): void => {
    if (alertId === undefined) return
    if (isReceived) answered.set(alertId, id, clock())
    else if (answered.get(alertId, clock()) === id) answered.delete(alertId)
  }
  const stop = subscribe(bus, answerDeliveredSubject, (text) => {
    const delivery = readDelivery(bus, text)
    if (delivery === undefined) return
    const { id, tookMs = 0 } = delivery
    const isReceived = delivery.isReceived && tookMs <= latestMs
    note(delivery, isReceived)
    listeners.get(id, clock())?.(isReceived)
  })
  publish(bus, deliveriesAskedSubject, '')
  return {
    expect: (requestId, listener) => listeners.set(requestId, listener, clock()),
    isAnswered: (alertId) => answered.get(alertId, clock()) !== undefined,
    stop,
  }
}

function readDelivery(bus: Bus, text: string): AnswerDelivery | undefined {
  try {
    return AnswerDelivery.parse(JSON.parse(text))
  } catch (error) {
    bus.log.error({ err: error }, 'delivery is not readable')
    return undefined
  }
}
