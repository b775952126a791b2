import { type Bus, subscribe } from '@tripline/kit/bus/bus'
import { AlertResult } from '@tripline/proto/alert'
import type { AlertId } from '@tripline/proto/id'

/** Receives the result, or undefined when nobody waits for results any more. */
export type ResultListener = (result: AlertResult | undefined) => void

/** The results of alerts, for those who wait for them. */
export interface Results {
  /** Calls back once with the alert's result; returns the function that stops waiting for it. */
  expect: (alertId: AlertId, listener: ResultListener) => () => void
  /** Calls back with the id of each alert whose result is published. */
  onEach: (listener: (alertId: string) => void) => void
  stop: () => void
}

const subjectPrefix = 'result.'

/** Subscribes to every result on the bus, also those of other replicas' alerts, and passes on the expected ones. */
export function subscribeToResults(bus: Bus): Results {
  const listeners = new Map<string, Set<ResultListener>>()
  const eachListeners: ((alertId: string) => void)[] = []
  const pass = (alertId: string, result: AlertResult | undefined): void => {
    const expecting = listeners.get(alertId)
    listeners.delete(alertId)
    for (const listener of expecting ?? []) listener(result)
  }
  const stop = subscribe(bus, `${subjectPrefix}*`, (text, subject) => {
    const alertId = subject.slice(subjectPrefix.length)
    for (const listener of eachListeners) listener(alertId)
    if (!listeners.has(alertId)) return
    const result = readResult(bus, alertId, text)
    if (result !== undefined) pass(alertId, result)
  })
  return {
    expect: (alertId, listener) => {
      const expecting = listeners.get(alertId) ?? new Set()
      listeners.set(alertId, expecting.add(listener))
      return () => {
        expecting.delete(listener)
        if (expecting.size === 0 && listeners.get(alertId) === expecting) listeners.delete(alertId)
      }
    },
    onEach: (listener) => void eachListeners.push(listener),
    stop: () => {
      stop()
      for (const alertId of listeners.keys()) pass(alertId, undefined)
    },
  }
}

function readResult(bus: Bus, alertId: string, text: string): AlertResult | undefined {
  try {
    return AlertResult.parse(JSON.parse(text))
  } catch (error) {
    bus.log.error({ err: error, alertId }, 'result is not readable')
    return undefined
  }
}
