import { channel } from 'node:diagnostics_channel'

/** The markets of venues, as recordings name them. */
export const recordedMarkets = ['binance-spot', 'binance-futures', 'bybit-spot', 'bybit-linear'] as const
export type RecordedMarket = (typeof recordedMarkets)[number]

/** The markets of venues that anything is read from; those that were never recorded are read by their documentation. */
export const readMarkets = [...recordedMarkets, 'okx-spot', 'okx-linear'] as const
export type ReadMarket = (typeof readMarkets)[number]

/** The call, or the topic of a stream, that something was read from. */
export interface Source {
  venue: ReadMarket
  /** Its path with dots, such as `order.realtime`; a topic with `ws.` before it. */
  call: string
}

/** Something that a venue sent, and that was new or could not be read. */
export interface Drift extends Source {
  field: string
  /** The value as far as it reports nothing of an account: a word, or the kind of value. */
  value: string
  /** Everything it was read from, masked alike, as JSON that is cut. */
  shape: string
}

const drifts = channel('tripline.venue.drift')

/** Calls back for each drift; returns a function that ends this. */
export function onDrift(listener: (drift: Drift) => void): () => void {
  const onMessage = (message: unknown): void => listener(message as Drift)
  drifts.subscribe(onMessage)
  return () => void drifts.unsubscribe(onMessage)
}

/** Publishes that a field of a message held something new, or something that could not be read. */
export function noteDrift({ venue, call }: Source, field: string, value: unknown, message: unknown): void {
  if (drifts.hasSubscribers) {
    publishDrift({ venue, call, field, value: maskValue(value), shape: shapeOf(message) })
  }
}

/** Publishes a drift that was noted elsewhere, such as on another thread. */
export function publishDrift(drift: Drift): void {
  drifts.publish(drift)
}

const longestShape = 1000
const deepest = 4
const mostInside = 60
const rowsShown = 2

function shapeOf(message: unknown): string {
  return (JSON.stringify(maskAll(message, 0)) ?? 'undefined').slice(0, longestShape)
}

function maskAll(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth === deepest) return maskValue(value)
  if (Array.isArray(value)) return value.slice(0, rowsShown).map((row) => maskAll(row, depth + 1))
  const fields = Object.entries(value).slice(0, mostInside)
  return Object.fromEntries(fields.map(([name, inner]) => [maskName(name), maskAll(inner, depth + 1)]))
}

/** Names of fields are the venue's; what is named by a coin, a symbol or an id is not. */
function maskName(name: string): string {
  return name.length <= longestWord && /^[a-zA-Z_]+$/.test(name) ? name : `name of ${name.length}`
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
