import { createInbox, headers, type Msg, type NatsConnection } from 'nats'
import { z } from 'zod'
import { traceHeader } from './trace.ts'

/** What a stream says to a message: where it lies, or why it does not. */
const Acknowledgement = z.union([
  z.object({ error: z.object({ err_code: z.number().default(0), description: z.string() }) }),
  z.object({ seq: z.number(), duplicate: z.boolean().default(false) }),
])

/** The stream answered and said no: the same message is refused again. */
export class StreamRefusal extends Error {}

/** Where a message lies in its stream, and whether it lay there already under the same id. */
export interface Stored {
  sequence: number
  isDuplicate: boolean
}

export interface Publication {
  subject: string
  payload: string
  messageId: string
  /** How long the stream's answer is waited for. */
  timeoutMs: number
  /** From where whoever reads it goes on, where that is traced. */
  traceparent?: string | undefined
}

/**
 * Publishes one message to the stream of its subject; answers once it is stored. Throws `StreamRefusal` where the
 * stream says no; after any other error the message may be stored or not.
 */
export type AcknowledgedPublish = (publication: Publication) => Promise<Stored>

interface Waiting {
  settle: (answer: Msg) => void
  fail: (error: Error) => void
}

/**
 * Opens the way into the streams over one subscription for all answers. The client library's own way does the same for
 * twice the processor time: it makes an error, with its stack, for each request that was answered.
 */
export function openAcknowledgedPublish(connection: NatsConnection, prefix: string): AcknowledgedPublish {
  const inbox = createInbox(prefix)
  const waiting = new Map<string, Waiting>()
  connection.subscribe(`${inbox}.*`, {
    callback: (error, answer) => {
      if (error === null) waiting.get(answer.subject)?.settle(answer)
    },
  })
  void connection.closed().then(() => {
    for (const { fail } of waiting.values()) fail(new Error('the bus was closed'))
  })
  const answerTo = async (reply: string, timeoutMs: number): Promise<Msg> => {
    let timer: NodeJS.Timeout | undefined
    try {
      return await new Promise((settle, fail) => {
        waiting.set(reply, { settle, fail })
        timer = setTimeout(() => fail(new Error(`no answer in ${timeoutMs} ms`)), timeoutMs)
      })
    } finally {
      clearTimeout(timer)
      waiting.delete(reply)
    }
  }
  let published = 0
  return async ({ subject, payload, messageId, timeoutMs, traceparent }) => {
    const reply = `${inbox}.${++published}`
    const marks = headers()
    marks.set('Nats-Msg-Id', messageId)
    if (traceparent !== undefined) marks.set(traceHeader, traceparent)
    connection.publish(subject, payload, { reply, headers: marks })
    return storedOf(subject, await answerTo(reply, timeoutMs))
  }
}

function storedOf(subject: string, answer: Msg): Stored {
  if (answer.data.length === 0) throw new Error(`nobody keeps ${subject}`)
  const said = Acknowledgement.parse(answer.json())
  if (!('error' in said)) return { sequence: said.seq, isDuplicate: said.duplicate }
  const { description, err_code: code } = said.error
  // Without a code of its own the server could not ask the stream.
  throw code === 0 ? new Error(description) : new StreamRefusal(description)
}
