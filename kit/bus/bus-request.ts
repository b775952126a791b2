import { createInbox, type Msg, type MsgHdrs, type NatsConnection } from 'nats'
import type { Outbox } from './outbox.ts'

/** A request on the bus. */
export interface Question {
  subject: string
  payload: string
  headers?: MsgHdrs
  /** Does not wait for others of its turn. */
  isUrgent?: boolean | undefined
  /** The longest wait for the answer. */
  timeoutMs: number
}

/** Nobody is subscribed: nothing was done. */
export class NobodyThereError extends Error {
  constructor(subject: string) {
    super(`nobody answers ${subject}`)
    this.name = 'NobodyThereError'
  }
}

/** No answer came in time: what was asked may be done or not. */
export class NoAnswerError extends Error {
  constructor(timeoutMs: number) {
    super(`no answer in ${timeoutMs} ms`)
    this.name = 'NoAnswerError'
  }
}

/** Asks, and answers what comes back. Throws `NobodyThereError`, or `NoAnswerError` where no answer comes in time. */
export type BusRequest = (question: Question) => Promise<Msg>

interface Waiting {
  resolve: (answer: Msg) => void
  fail: (error: unknown) => void
}

/**
 * Opens the way to ask, over one subscription for all answers. The client library's own way does the same for twice the
 * processor time: it makes an error, with its stack, for each question that was answered.
 */
export function openBusRequest(connection: NatsConnection, { send }: Outbox, prefix: string): BusRequest {
  const inbox = createInbox(prefix)
  const waiting = new Map<string, Waiting>()
  connection.subscribe(`${inbox}.*`, {
    callback: (error, answer) => {
      if (error === null) waiting.get(answer.subject)?.resolve(answer)
    },
  })
  void connection.closed().then(() => {
    for (const { fail } of waiting.values()) fail(new Error('the bus was closed'))
  })
  let asked = 0
  return async ({ subject, payload, headers, isUrgent, timeoutMs }) => {
    const reply = `${inbox}.${++asked}`
    const options = headers === undefined ? { reply } : { reply, headers }
    let timer: NodeJS.Timeout | undefined
    try {
      const answer = await new Promise<Msg>((resolve, fail) => {
        waiting.set(reply, { resolve, fail })
        const giveUp = (): void => fail(new NoAnswerError(timeoutMs))
        // After a standstill of this process the answer may be there, and is read first.
        timer = setTimeout(() => setImmediate(giveUp), timeoutMs)
        send({ subject, payload, options, isUrgent, fail })
      })
      if (answer.data.length === 0) throw new NobodyThereError(subject)
      return answer
    } finally {
      clearTimeout(timer)
      waiting.delete(reply)
    }
  }
}
