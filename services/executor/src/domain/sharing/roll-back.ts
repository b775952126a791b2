/** The extent of a stream as it is marked outside of the bus. */
export interface BusMark {
  /** The time at which the stream was made, as the bus writes it. */
  createdAt: string
  sequence: number
  /** The newest message whose time of storing is known, by the clock of the bus. */
  seen: { sequence: number; storedAt: number } | undefined
}

/** The state of a marked stream at present. */
export interface PresentStream {
  createdAt: string
  sequence: number
  /** Another message has the place of the one that was seen. */
  isOverwritten: boolean
}

/** A way in which a stream lost what it had: it was deleted and made again, its end is gone, or others came behind an end that is gone. */
export type Loss = 'made anew' | 'shorter' | 'overwritten'

/** Streams and buckets that lost something, and how. */
export type Losses = Readonly<Record<string, Loss>>

/** Returns what a stream lost since it was marked; undefined where it has all of it. */
export function lossOf(mark: BusMark, present: PresentStream): Loss | undefined {
  if (mark.createdAt !== present.createdAt) return 'made anew'
  if (present.sequence < mark.sequence) return 'shorter'
  return present.isOverwritten ? 'overwritten' : undefined
}

/** Time between two writings of the marks, and some more: what an executor knew when it died may not be marked. */
const unmarkedMs = 2000
/** By as much may a moment by the clock of the bus be wrong that was worked out from our own. */
const clockSlackMs = 250

/**
 * Returns the moment by the clock of the bus until which alerts that came back with it were stored. Executors that live know
 * until when they were connected; where all were away, it is when their marks were last written.
 */
export function cameBackUntil(markedAt: number, connectedUntil: number | undefined): number {
  if (connectedUntil === undefined) return markedAt + unmarkedMs
  return (markedAt > connectedUntil ? markedAt : connectedUntil) + clockSlackMs
}
