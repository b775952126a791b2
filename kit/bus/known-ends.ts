/** A message that was read: when it was stored is said by the clock of the bus, in ms since the epoch. */
export interface SeenMessage {
  sequence: number
  storedAt: number
}

/** The greatest sequences that streams and buckets are known to have, by the names of their streams. */
export interface KnownEnds {
  /** Notes that a message is stored under this sequence, and when it was stored where that is known. */
  note: (stream: string, sequence: number, storedAt?: number) => void
  sequences: () => ReadonlyMap<string, number>
  /** The message of a stream with the greatest sequence of those that were read. */
  seen: (stream: string) => SeenMessage | undefined
  /** Forgets them: the bus has lost what they are of. */
  forget: () => void
  /** Calls back where a stream gave a sequence a second time; returns an unsubscribe function. */
  onReuse: (listener: (stream: string) => void) => () => void
}

/** Times of one message differ by less than this, however they came: some in whole milliseconds. */
const sameWithinMs = 1.5

/** True for two times of storing that cannot be of one message. */
export function areApart(one: number, other: number): boolean {
  return Math.abs(one - other) > sameWithinMs
}

/** True where this message was stored later than one with the same or a greater sequence: the stream has lost its end. */
export function isReuse(message: SeenMessage, newest: SeenMessage | undefined): boolean {
  if (newest === undefined || message.sequence > newest.sequence) return false
  return message.storedAt > newest.storedAt && areApart(message.storedAt, newest.storedAt)
}

/** Knows no end yet. */
export function createKnownEnds(): KnownEnds {
  const sequences = new Map<string, number>()
  const last = new Map<string, SeenMessage>()
  /** The greatest of both, which may be of two messages. */
  const newest = new Map<string, SeenMessage>()
  const listeners = new Set<(stream: string) => void>()
  const see = (stream: string, message: SeenMessage): void => {
    const before = newest.get(stream)
    if (isReuse(message, before)) for (const listener of listeners) listener(stream)
    const { sequence, storedAt } = before ?? message
    if (message.sequence >= sequence) last.set(stream, message)
    newest.set(stream, {
      sequence: Math.max(sequence, message.sequence),
      storedAt: Math.max(storedAt, message.storedAt),
    })
  }
  return {
    note: (stream, sequence, storedAt) => {
      if (sequence > (sequences.get(stream) ?? 0)) sequences.set(stream, sequence)
      if (storedAt !== undefined) see(stream, { sequence, storedAt })
    },
    sequences: () => sequences,
    seen: (stream) => last.get(stream),
    forget: () => {
      sequences.clear()
      last.clear()
      newest.clear()
    },
    onReuse: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
