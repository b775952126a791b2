import { setTimeout as sleep } from 'node:timers/promises'
import { NatsError } from 'nats'
import type { Bus } from './bus.ts'
import { areApart, type SeenMessage } from './known-ends.ts'
import { storedMessage } from './last-message.ts'

/** The present end of a stream. */
export interface StreamEnd {
  /** The time at which the stream was made, as the bus writes it: another one means another stream. */
  createdAt: string
  /** The sequence of the newest message, 0 when it never had one. */
  sequence: number
  /** The time at which the newest message was stored; undefined of a stream that never had one. */
  storedAt: number | undefined
  /** The time by the clock of the bus; undefined where a server does not report it. */
  now: number | undefined
}

/** Reads the present end of a stream, as its leader knows it; throws where no server leads it. */
export async function streamEnd(bus: Bus, stream: string): Promise<StreamEnd> {
  const info = await bus.manager.streams.info(stream)
  const { last_seq: sequence, last_ts: lastAt } = info.state
  const storedAt = Date.parse(lastAt)
  return {
    createdAt: info.created,
    sequence,
    storedAt: sequence > 0 && storedAt > 0 ? storedAt : undefined,
    now: 'ts' in info && typeof info.ts === 'string' ? Date.parse(info.ts) : undefined,
  }
}

/** JetStream's code for a stream that is not there. */
const noStream = 10_059

/** True for the error of a stream that is not there, unlike one that nobody leads. */
export function isStreamGone(error: unknown): boolean {
  return error instanceof NatsError && error.jsError()?.err_code === noStream
}

/** The sequence of the newest message of a stream, 0 when it never had one. */
export async function lastSequence(bus: Bus, stream: string): Promise<number> {
  return (await streamEnd(bus, stream)).sequence
}

/** So often, and so far apart, a stream that seems to have lost its end is looked at before that counts. */
const looksAtEnd = 5
const endAgainMs = 400

/**
 * The present end of a stream of which this sequence was seen. A server that was only just chosen to lead it, or does not
 * know that it leads no more, may not know of its last ones: an end that lies before is asked for again.
 */
export async function confirmedEnd(bus: Bus, stream: string, seen: number): Promise<StreamEnd> {
  let end = await streamEnd(bus, stream)
  for (let look = 1; look < looksAtEnd && end.sequence < seen; look++) {
    await sleep(endAgainMs)
    end = await streamEnd(bus, stream)
  }
  return end
}

/** True where another message has the place of one that was seen; one that was deleted says nothing. */
export async function isReplaced(bus: Bus, stream: string, seen: SeenMessage): Promise<boolean> {
  const message = await storedMessage(bus.manager.streams, stream, seen.sequence)
  return message !== undefined && areApart(message.time.getTime(), seen.storedAt)
}
