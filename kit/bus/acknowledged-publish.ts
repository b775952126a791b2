import { headers, type MsgHdrs } from 'nats'
import { z } from 'zod'
import { traceHeader } from '../telemetry/trace.ts'
import type { BusRequest } from './bus-request.ts'

/** Why JetStream does not do what was asked. Without a code of its own the server could not ask the stream. */
export const JetStreamFault = z.object({ err_code: z.number().default(0), description: z.string() })

/** A stream's reply to a message: its sequence, or why it is not stored. */
const Acknowledgement = z.union([
  z.object({ seq: z.number(), duplicate: z.boolean().default(false), error: z.never().optional() }),
  z.object({ error: JetStreamFault }),
])

/** The stream answered and said no, with this code of JetStream: the same message is refused again. */
export class StreamRefusal extends Error {
  readonly code: number

  constructor(description: string, code: number) {
    super(description)
    this.code = code
  }
}

/** The sequence of a message in its stream, and whether it was there already under the same id. */
export interface Stored {
  sequence: number
  isDuplicate: boolean
}

export interface Publication {
  subject: string
  payload: string
  /** The stream keeps one message of each id. */
  messageId?: string | undefined
  /** Stored only where the newest message of the subject has this sequence; 0 where there must be none. */
  over?: number | undefined
  /** Does not wait for others of its turn. */
  isUrgent?: boolean | undefined
  /** The longest wait for the stream's answer. */
  timeoutMs: number
  /** The trace that the reader goes on with, if there is one. */
  traceparent?: string | undefined
}

/**
 * Publishes one message to the stream of its subject; resolves once it is stored. Throws `StreamRefusal` where the
 * stream says no; after any other error the message may be stored or not.
 */
export type AcknowledgedPublish = (publication: Publication) => Promise<Stored>

/** The way into the streams. */
export function createAcknowledgedPublish(request: BusRequest): AcknowledgedPublish {
  return async (publication) => {
    const { subject, payload, isUrgent, timeoutMs } = publication
    const answer = await request({ subject, payload, headers: headersOf(publication), isUrgent, timeoutMs })
    const said = Acknowledgement.parse(answer.json())
    if ('seq' in said) return { sequence: said.seq, isDuplicate: said.duplicate }
    const { description, err_code: code } = said.error
    throw code === 0 ? new Error(description) : new StreamRefusal(description, code)
  }
}

function headersOf({ messageId, over, traceparent }: Publication): MsgHdrs {
  const marks = headers()
  if (messageId !== undefined) marks.set('Nats-Msg-Id', messageId)
  if (over !== undefined) marks.set('Nats-Expected-Last-Subject-Sequence', `${over}`)
  if (traceparent !== undefined) marks.set(traceHeader, traceparent)
  return marks
}
