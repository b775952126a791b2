import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { VENUES } from '../src/domain/market.ts'
import { createExchange, type Exchange } from '../src/exchange.ts'
import { createLedger } from '../src/store/ledger.ts'
import { createQuotes } from '../src/store/quotes.ts'
import { openStateFile } from '../src/store/state-file.ts'
import { marketIn } from './core-rig.ts'

const whereDisksAreMade = process.platform === 'linux' && process.getuid?.() === 0
const onDisk = whereDisksAreMade ? test : test.skip

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paper-disk-'))
  if (whereDisksAreMade) execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder])
})

afterEach(() => {
  if (whereDisksAreMade) execFileSync('umount', ['-l', folder])
  rmSync(folder, { recursive: true })
})

function open(): { exchange: Exchange; close: () => void } {
  const [ledger, quotes] = [createLedger(), createQuotes({ seed: 5 })]
  const { keeper, close } = openStateFile(folder, ledger, quotes, 1)
  return { exchange: createExchange(ledger, quotes, keeper), close }
}

function pricesOf({ quotes }: Exchange) {
  return VENUES.map((venue) => quotes.of(marketIn(venue).id))
}

/** Leaves room for some lines, of which the last one is cut off. */
function fill(): string {
  const file = join(folder, 'fill')
  expect(() => writeFileSync(file, Buffer.alloc(1024 * 1024))).toThrow('ENOSPC')
  return file
}

onDisk('what a full disk did not take is kept with the first change that finds room', () => {
  const first = open()
  let step = 0
  const file = fill()
  expect(() => {
    for (; step < 100; step += 1) first.exchange.move(step)
  }).toThrow('ENOSPC')
  expect(() => first.exchange.move(step + 1)).toThrow('ENOSPC')
  rmSync(file)
  first.exchange.move(step + 2)
  first.exchange.move(step + 3)
  first.close()
  const second = open()
  expect(pricesOf(second.exchange)).toEqual(pricesOf(first.exchange))
  second.close()
})

onDisk('what was kept before the disk was full is found though nothing could be written afterwards', () => {
  const first = open()
  let step = 0
  let kept = pricesOf(first.exchange)
  const file = fill()
  expect(() => {
    for (; step < 100; step += 1) {
      first.exchange.move(step)
      kept = pricesOf(first.exchange)
    }
  }).toThrow('ENOSPC')
  first.close()
  rmSync(file)
  const second = open()
  expect(pricesOf(second.exchange)).toEqual(kept)
  second.close()
})
