import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Fill, Order } from '../domain/order.ts'
import type { Keeper } from './keeper.ts'
import { addEntry, addFill, type Entry, type Ledger, putOrder } from './ledger.ts'
import { accountFrom, StateLine, writeLine } from './state-line.ts'

/** Where the ledger is kept between runs. */
export type StateFile = Readonly<{ keeper: Keeper; close: () => void }>

const NAME = 'paper-exchange.jsonl'
const DAY_MS = 86_400_000

/** A keeper that keeps nothing: the ledger lives as long as the process. */
export const forgetful: StateFile = { keeper: { opened: () => {}, changed: () => {} }, close: () => {} }

/**
 * Reads the ledger from the folder and appends every change to it. The file is rewritten at each start, so it holds
 * no more than what is still remembered. A line is with the system before its change is answered.
 */
export function openStateFile(folder: string, ledger: Ledger, now: number): StateFile {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, NAME)
  if (existsSync(path)) readLines(readFileSync(path, 'utf8'), ledger)
  rewrite(path, ledger, now)
  const file = openSync(path, 'a', 0o600)
  return {
    keeper: {
      opened: ({ apiKey, secret, account }) => writeSync(file, writeLine({ apiKey, secret, account })),
      changed: (entry, order, fill) => writeSync(file, lineOf(entry, order, fill)),
    },
    close: () => closeSync(file),
  }
}

function lineOf({ apiKey, account }: Entry, order: Order, fill?: Fill): string {
  return writeLine({ apiKey, order, ...(fill && { fill, account }) })
}

function readLines(text: string, ledger: Ledger): void {
  // What follows the last line end was cut off by a crash before its change was answered.
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  for (const line of whole.split('\n')) if (line !== '') apply(StateLine.parse(JSON.parse(line)), ledger)
}

function apply({ apiKey, secret, account, order, fill }: StateLine, ledger: Ledger): void {
  const state = account && accountFrom(account)
  const known = ledger.entries.get(apiKey)
  if (!known && !(secret && state))
    throw new Error('the state file speaks of an account before it was opened')
  const entry = known ?? (secret && state ? addEntry(ledger, apiKey, secret, state) : undefined)
  if (!entry) return
  if (state) entry.account = state
  if (order) putOrder(ledger, entry, order)
  if (fill) addFill(ledger, entry, fill)
}

function rewrite(path: string, ledger: Ledger, now: number): void {
  const fresh = `${path}.new`
  const lines: string[] = []
  for (const entry of ledger.entries.values()) {
    const { apiKey, secret, account } = entry
    lines.push(writeLine({ apiKey, secret, account }))
    for (const order of entry.orders.values()) {
      if (!isForgotten(order, now)) lines.push(writeLine({ apiKey, order }))
    }
    for (const fills of entry.fillsBySymbol.values())
      for (const fill of fills) lines.push(writeLine({ apiKey, fill }))
  }
  writeFileSync(fresh, lines.join(''), { mode: 0o600 })
  renameSync(fresh, path)
}

// The venue forgets unfilled orders after 3 days and all others after 90.
function isForgotten(order: Order, now: number): boolean {
  if (order.status === 'open') return false
  return now - order.updatedAt > (order.filled === 0n ? 3 : 90) * DAY_MS
}
