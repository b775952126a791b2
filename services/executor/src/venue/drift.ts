import { channel } from 'node:diagnostics_channel'

/** A market of a venue, as recordings name it. */
export type RecordedMarket = 'binance-spot' | 'binance-futures' | 'bybit-spot' | 'bybit-linear'

/** The call, or the topic of a stream, that something was read from. */
export interface Source {
  venue: RecordedMarket
  /** Its path with dots, such as `order.realtime`; a topic with `ws.` before it. */
  call: string
}

/** Something that a venue sent, and that was new or could not be read. */
export interface Drift extends Source {
  field: string
  /** The value as far as it tells nothing of an account: a word, or the kind of value. */
  value: string
}

const drifts = channel('tripline.venue.drift')

/** Calls back for each drift; returns a function that ends this. */
export function onDrift(listener: (drift: Drift) => void): () => void {
  const hear = (message: unknown): void => listener(message as Drift)
  drifts.subscribe(hear)
  return () => void drifts.unsubscribe(hear)
}

/** Publishes that a field held something new, or something that could not be read. */
export function noteDrift({ venue, call }: Source, field: string, value: unknown): void {
  if (drifts.hasSubscribers) drifts.publish({ venue, call, field, value: maskValue(value) } satisfies Drift)
}

// Names of statuses, types and reasons; keys and ids have digits among their letters.
const word = /^[A-Za-z]+(?:[ _-][A-Za-z]+)*(?:_?\d)?$/
const longestWord = 40

function maskValue(value: unknown): string {
  if (typeof value !== 'string')
    return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  if (value === '') return 'empty text'
  return value.length <= longestWord && word.test(value) ? value : `text of ${value.length}`
}
