import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { VENUES } from '../src/domain/market.ts'
import { createExchange, type Exchange, type VenueEvent } from '../src/exchange.ts'
import { createLedger, type Entry } from '../src/store/ledger.ts'
import { createQuotes } from '../src/store/quotes.ts'
import { openStateFile } from '../src/store/state-file.ts'
import { begin, PLOTS, type Plot, perform, type Scene, SEED, type Step } from './core-plot.ts'
import { marketIn, newVenue } from './core-rig.ts'

const plots = Object.entries(PLOTS)

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paper-core-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

// An account without what differs from one venue to the next: its random key, and what only lagging reads need.
function pictureOf({
  account,
  orders,
  listsById,
  fillsByMarket,
  locked,
  openOrderIds,
  everUsedClientOrderIds,
}: Entry) {
  return {
    account,
    orders: [...orders.values()].map(({ before: _before, ...now }) => now),
    lists: [...listsById.values()],
    fills: [...fillsByMarket.values()].flat().sort((a, b) => a.id - b.id),
    locked: [...locked].filter(([, amount]) => amount !== 0n).sort(),
    open: [...openOrderIds].sort(),
    used: everUsedClientOrderIds,
  }
}

function picture(exchange: Exchange, entries: readonly Entry[]) {
  const { lastOrderId, lastFillId, lastListId, house } = exchange.ledger
  const quotes = VENUES.map((venue) => exchange.quotes.of(marketIn(venue).id))
  const depths = VENUES.map((venue) => exchange.quotes.depth(marketIn(venue).id))
  const counters = { lastOrderId, lastFillId, lastListId }
  return { counters, quotes, depths, house: house.account.balances, entries: entries.map(pictureOf) }
}

function record(exchange: Exchange, events: unknown[]): void {
  exchange.subscribe((event: VenueEvent) => {
    if (!('entry' in event)) events.push(event)
    else events.push({ ...event, entry: undefined })
  })
}

function play(scene: Scene, steps: readonly Step[]): void {
  for (const it of steps) perform(scene, it)
}

test.each(plots)(`the same calls give the same fills, events and state: %s (seed ${SEED})`, (_name, plot) => {
  const run = (steps: readonly Step[]) => {
    const events: unknown[] = []
    const scene = begin(plot, newVenue(5))
    record(scene.exchange, events)
    play(scene, steps)
    return { events, state: picture(scene.exchange, scene.entries) }
  }
  fc.assert(
    fc.property(fc.array(plot.step, { minLength: 4, maxLength: 16 }), (steps) => {
      expect(run(steps)).toEqual(run(steps))
    }),
    { numRuns: 100, seed: SEED },
  )
})

function failOn(error: unknown): never {
  throw error
}

function storedExchange(): { exchange: Exchange; stop: () => void } {
  const [ledger, quotes] = [createLedger(), createQuotes({ seed: 5 })]
  const { writer, close } = openStateFile(folder, ledger, quotes, 1, failOn)
  return { exchange: createExchange(ledger, quotes, writer), stop: close }
}

// Plays the second half after a restart, and returns the sum of the whole.
function playWithRestart(plot: Plot, first: readonly Step[], second: readonly Step[]) {
  rmSync(folder, { recursive: true, force: true })
  const before = storedExchange()
  const scene = begin(plot, before.exchange)
  play(scene, first)
  before.stop()
  const after = storedExchange()
  const entries = scene.entries.map(({ apiKey }) => {
    const entry = after.exchange.ledger.entries.get(apiKey)
    if (!entry) throw new Error('an account is gone')
    return entry
  })
  const halfway = picture(after.exchange, entries)
  play({ ...scene, exchange: after.exchange, entries }, second)
  after.stop()
  return { halfway, end: picture(after.exchange, entries) }
}

test.each(plots)(`a restart in the middle changes nothing: %s (seed ${SEED})`, (_name, plot) => {
  const steps = fc.array(plot.step, { minLength: 4, maxLength: 12 })
  fc.assert(
    fc.property(steps, steps, (first, second) => {
      const scene = begin(plot, newVenue(5))
      play(scene, first)
      const halfway = picture(scene.exchange, scene.entries)
      play(scene, second)
      const end = picture(scene.exchange, scene.entries)
      expect(playWithRestart(plot, first, second)).toEqual({ halfway, end })
    }),
    { numRuns: 60, seed: SEED },
  )
})

test('prices move alike from the same seed and otherwise from another', () => {
  const walk = (seed: number) => {
    const exchange = newVenue(seed)
    return Array.from({ length: 50 }, (_, step) => {
      exchange.move(step)
      return VENUES.map((venue) => exchange.quotes.of(marketIn(venue).id))
    })
  }
  expect(walk(3)).toEqual(walk(3))
  expect(walk(3)).not.toEqual(walk(4))
})

test('prices stay around their center however long they move', () => {
  const exchange = newVenue(9)
  for (let step = 0; step < 5_000; step += 1) {
    exchange.move(step)
    const { bid, ask } = exchange.quotes.of(marketIn('binance-futures').id)
    expect(bid).toBeLessThan(ask)
    expect(bid).toBeGreaterThan(5_000_000n)
    expect(ask).toBeLessThan(7_200_000n)
  }
})
