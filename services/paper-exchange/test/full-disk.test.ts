import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { VENUES } from '../src/domain/market.ts'
import type { Order } from '../src/domain/order.ts'
import { createExchange, type Exchange, type VenueEvent } from '../src/exchange.ts'
import { createLedger } from '../src/store/ledger.ts'
import { createQuotes } from '../src/store/quotes.ts'
import { openStateFile } from '../src/store/state-file.ts'
import { latest, marketIn, order, placed, usdt } from './core-rig.ts'
import { find, type Paper, place, startPaper } from './paper.ts'

const whereDisksAreMade = process.platform === 'linux' && process.getuid?.() === 0
const onDisk = whereDisksAreMade ? describe : describe.skip

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paper-disk-'))
  if (whereDisksAreMade) execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder])
})

afterEach(() => {
  if (whereDisksAreMade) execFileSync('umount', ['-l', folder])
  rmSync(folder, { recursive: true })
})

/** Fills the disk; returns the function that gives the room back. */
function fill(): () => void {
  const file = join(folder, 'fill')
  expect(() => writeFileSync(file, Buffer.alloc(8 * 1024 * 1024))).toThrow('ENOSPC')
  return () => rmSync(file)
}

onDisk('on a full disk', () => {
  let unwritten: unknown[]
  let beforeStored: () => void

  beforeEach(() => {
    unwritten = []
    beforeStored = () => {}
  })

  function open(): { exchange: Exchange; close: () => void } {
    const [ledger, quotes] = [createLedger(), createQuotes({ seed: 5 })]
    const { writer, close } = openStateFile(folder, ledger, quotes, 1, (error) => unwritten.push(error))
    const changed: typeof writer.changed = (change) => {
      beforeStored()
      writer.changed(change)
    }
    return { exchange: createExchange(ledger, quotes, { ...writer, changed }), close }
  }

  function pricesOf({ quotes }: Exchange) {
    return VENUES.map((venue) => quotes.of(marketIn(venue).id))
  }

  test('nothing is begun until there is room, and earlier records are found', () => {
    const first = open()
    first.exchange.move(1)
    const before = pricesOf(first.exchange)
    const makeRoom = fill()
    expect(() => first.exchange.move(2)).toThrow('is full')
    expect(pricesOf(first.exchange)).toEqual(before)
    makeRoom()
    first.exchange.move(3)
    expect(pricesOf(first.exchange)).not.toEqual(before)
    first.close()
    const second = open()
    expect(pricesOf(second.exchange)).toEqual(pricesOf(first.exchange))
    expect(unwritten).toEqual([])
    second.close()
  })

  test('an order that is filled when the disk gets full is reported as that, and written first once there is room', () => {
    const first = open()
    const entry = first.exchange.open(new Map([['USDT', usdt(1000)]]), 1)
    const events: VenueEvent[] = []
    first.exchange.subscribe((event) => events.push(event))
    let makeRoom = (): void => {}
    beforeStored = () => {
      makeRoom = fill()
    }
    let filled: Order | undefined
    // The last page of a file that was begun takes some lines more.
    for (let count = 0; count < 100 && unwritten.length === 0; count += 1) {
      makeRoom()
      filled = placed(first.exchange, entry, order('binance-futures'), 2)
      expect(filled).toMatchObject({ status: 'filled' })
      expect(events).toContainEqual(expect.objectContaining({ kind: 'order', order: filled }))
    }
    expect(unwritten).toMatchObject([{ code: 'ENOSPC' }])
    beforeStored = () => {}
    expect(() => first.exchange.move(3)).toThrow('ENOSPC')
    makeRoom()
    first.exchange.move(4)
    first.close()
    const second = open()
    const found = second.exchange.ledger.entries.get(entry.apiKey)
    expect(found && filled && latest(found, filled)).toMatchObject({ status: 'filled' })
    expect(pricesOf(second.exchange)).toEqual(pricesOf(first.exchange))
    second.close()
  })

  describe('over the wire', () => {
    let paper: Paper

    beforeEach(async () => {
      paper = await startPaper({ PAPER_DATA_DIR: folder, LOG_LEVEL: 'fatal' })
    })

    afterEach(async () => await paper.stop())

    test('an order is refused, reported as refused, and not taken', async () => {
      const credentials = await paper.open()
      const makeRoom = fill()
      const refused = await place(paper, credentials, { newClientOrderId: 'late' })
      expect(refused.body).toMatchObject({ code: -1000 })
      expect(await paper.journal()).toMatchObject([{ clientOrderId: 'late', outcome: 'rejected' }])
      expect((await find(paper, credentials, 'late')).body).toMatchObject({ code: -2013 })
      makeRoom()
      expect((await place(paper, credentials, { newClientOrderId: 'late' })).body).toMatchObject({
        status: 'FILLED',
      })
    })
  })
})
