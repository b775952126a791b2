import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { openAccount } from '../domain/account.ts'
import { addMarket, type Market, type MarketId } from '../domain/market.ts'
import { forgetEnded } from './forget.ts'
import {
  addEntry,
  addFill,
  addFunding,
  type Entry,
  everyEntry,
  HOUSE,
  type Ledger,
  putList,
  putOrder,
} from './ledger.ts'
import type { QuoteBoard, QuotesChange } from './quotes.ts'
import { accountFrom, type EntryRow, entryRow, StateLine, writeLine } from './state-line.ts'
import type { Change, StateWriter } from './state-writer.ts'

/** The file that holds the venue between runs. */
export type StateFile = Readonly<{ writer: StateWriter; close: () => void }>

type OpenedFile = {
  readonly path: string
  readonly ledger: Ledger
  readonly board: QuoteBoard
  readonly markets: Map<MarketId, Market>
}

const NAME = 'paper-exchange.jsonl'
// Prices alone write some megabytes a day, so the file is also rewritten while it grows.
const GROWN_BYTES = 64 * 1024 * 1024
// The lines of many calls, so that a disk is found to be full before a call is begun.
const LEAST_ROOM_BYTES = 1024 * 1024

/** A keeper that keeps nothing: the venue lives as long as the process. */
export const forgetful: StateFile = {
  writer: { ready: () => {}, changed: () => {} },
  close: () => {},
}

/**
 * Reads ledger and prices from the folder and appends every change to them. The file is rewritten at each start and
 * while it grows; what ended long ago is then forgotten, there and in the ledger. A line is with the system before its
 * change is answered, and nothing is begun on a full disk. A change that could not be written then goes to
 * `onUnwritten` and is written first, with all others; until then nothing else is begun.
 */
export function openStateFile(
  folder: string,
  ledger: Ledger,
  board: QuoteBoard,
  now: number,
  onUnwritten: (error: unknown) => void,
): StateFile {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const opened: OpenedFile = { path: join(folder, NAME), ledger, board, markets: new Map() }
  if (existsSync(opened.path)) readLines(readFileSync(opened.path, 'utf8'), opened)
  let size = rewrite(opened, now)
  let limit = size + GROWN_BYTES
  let file = openSync(opened.path, 'a', 0o600)
  let isBehind = false
  const beginAnew = (at: number): void => {
    isBehind = true
    size = rewrite(opened, at)
    limit = size + GROWN_BYTES
    closeSync(file)
    file = openSync(opened.path, 'a', 0o600)
    isBehind = false
  }
  const ready = (at: number): void => {
    // It is written beside the old one; a file that is too long is better than none.
    if (isBehind || (size >= limit && roomOf(folder) >= size)) beginAnew(at)
    if (roomOf(folder) < LEAST_ROOM_BYTES) throw new Error(`the disk of ${folder} is full`)
  }
  const changed = (change: Change): void => {
    if (change.market) opened.markets.set(change.market.id, change.market)
    try {
      size += append(file, lineOf(change), size)
    } catch (error) {
      isBehind = true
      onUnwritten(error)
    }
  }
  return { writer: { ready, changed }, close: () => closeSync(file) }
}

function roomOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

// A part of a line would make the lines behind it unreadable.
function append(file: number, line: string, size: number): number {
  try {
    writeFileSync(file, line)
    return Buffer.byteLength(line)
  } catch (error) {
    ftruncateSync(file, size)
    throw error
  }
}

function lineOf({ entries, quotes, market }: Change): string {
  const rows = [...entries.values()].map(({ entry, before, isNew, orders, lists, fills, fundings }) =>
    entryRow({
      apiKey: entry.apiKey,
      account: entry.account,
      ...(isNew ? { secret: entry.secret } : { before }),
      orders: [...orders.values()],
      lists: [...lists.values()],
      fills,
      fundings,
    }),
  )
  return writeLine({
    market,
    quotes: quotes && quotesRow(quotes),
    entries: rows.length > 0 ? rows : undefined,
  })
}

// JSON has no word for undefined: null lets a symbol go.
function quotesRow({ pinned, ...rest }: QuotesChange) {
  const rows =
    pinned && Object.fromEntries(Object.entries(pinned).map(([symbol, prices]) => [symbol, prices ?? null]))
  return { ...rest, pinned: rows }
}

function readLines(text: string, opened: OpenedFile): void {
  // Text behind the last line end was cut off by a crash before its change was answered.
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  for (const line of whole.split('\n')) if (line !== '') apply(StateLine.parse(JSON.parse(line)), opened)
}

function apply(
  { market, quotes, entries, counters }: StateLine,
  { ledger, board, markets }: OpenedFile,
): void {
  if (market) {
    addMarket(market)
    markets.set(market.id, market)
  }
  if (quotes) board.apply(quotes)
  for (const row of entries ?? []) applyEntry(row, ledger)
  if (counters) Object.assign(ledger, counters)
}

function applyEntry(row: EntryRow, ledger: Ledger): void {
  const entry = entryOf(row, ledger)
  entry.account = accountFrom(entry.account, row)
  for (const order of row.orders ?? []) putOrder(ledger, entry, order)
  for (const list of row.lists ?? []) putList(ledger, entry, list)
  for (const fill of row.fills ?? []) addFill(ledger, entry, fill)
  for (const funding of row.fundings ?? []) addFunding(ledger, entry, funding)
  for (const id of row.used ?? []) entry.everUsedClientOrderIds.get('bybit')?.add(id)
}

function entryOf({ apiKey, secret, updatedAt }: EntryRow, ledger: Ledger): Entry {
  const known = apiKey === HOUSE ? ledger.house : ledger.entries.get(apiKey)
  if (known) return known
  if (!secret) throw new Error('the state file speaks of an account before it was opened')
  return addEntry(ledger, apiKey, secret, openAccount(new Map(), updatedAt))
}

// Forgets what ended long ago, and returns how many bytes the file now has.
function rewrite({ path, ledger, board, markets }: OpenedFile, now: number): number {
  const fresh = `${path}.new`
  const lines = [...markets.values()].map((market) => writeLine({ market }))
  lines.push(writeLine({ quotes: quotesRow(board.state()) }))
  for (const entry of everyEntry(ledger)) {
    forgetEnded(entry, now)
    lines.push(writeLine({ entries: [wholeOf(entry)] }))
  }
  const { lastOrderId, lastFillId, lastListId, lastRank } = ledger
  lines.push(writeLine({ counters: { lastOrderId, lastFillId, lastListId, lastRank } }))
  const text = lines.join('')
  try {
    writeFileSync(fresh, text, { mode: 0o600 })
  } catch (error) {
    rmSync(fresh, { force: true })
    throw error
  }
  renameSync(fresh, path)
  return Buffer.byteLength(text)
}

function wholeOf(entry: Entry) {
  const { apiKey, secret, account } = entry
  return entryRow({
    ...{ apiKey, secret, account },
    orders: [...entry.orders.values()],
    lists: [...entry.listsById.values()],
    fills: [...entry.fillsByMarket.values()].flat(),
    fundings: entry.fundings,
    used: [...(entry.everUsedClientOrderIds.get('bybit') ?? [])],
  })
}
