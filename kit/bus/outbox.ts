import type { NatsConnection, PublishOptions } from 'nats'
import { openFlushGate } from './flush-gate.ts'

/** A message that is to go out. */
export interface Outgoing {
  subject: string
  payload: string
  options?: PublishOptions
  /** Does not wait for others of its turn of the event loop. */
  isUrgent?: boolean | undefined
  /** Receives the reason why it could not be sent. */
  fail: (error: unknown) => void
}

/** Messages that wait for the end of the turn. */
export interface Outbox {
  /** Sends a message, after all that were given before; throws once the connection is closed. */
  send: (message: Outgoing) => void
  /** Hands everything that waits to the connection. */
  sendAll: () => void
}

/** Sends what comes up in one turn of the event loop in one write. */
export function openOutbox(connection: NatsConnection): Outbox {
  let waiting: Outgoing[] = []
  const sendAll = (): void => {
    const due = waiting
    waiting = []
    for (const { subject, payload, options, fail } of due) {
      try {
        connection.publish(subject, payload, options)
      } catch (error) {
        fail(error)
      }
    }
  }
  const gate = openFlushGate(sendAll)
  return {
    send: (message) => {
      if (connection.isClosed()) throw new Error('the bus is closed')
      waiting.push(message)
      if (gate.opens(message.isUrgent === true)) sendAll()
    },
    sendAll,
  }
}
