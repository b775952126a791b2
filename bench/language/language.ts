import { readMessage } from '@tripline/proto/language/read-message'
import { median } from '../statistics.ts'
import { textTable } from '../table.ts'
import { bundleSize } from './bundle-size.ts'
import { bots, fullMessage, type HardText, hardTexts, typicalAlert } from './texts.ts'

const limitBytes = 65_536
const plans = {
  full: { rounds: 41, suspects: 12 },
  quick: { rounds: 11, suspects: 4 },
}

/** Measures the speed of the language, whether the worst texts take linear time, and its size in the browser. */
export async function language(pace: keyof typeof plans): Promise<string> {
  const { rounds, suspects } = plans[pace]
  return [speedTable(rounds), worstTable(findWorst(suspects), rounds), await sizeTable()].join('\n\n')
}

function speedTable(rounds: number): string {
  const full = fullMessage(limitBytes)
  const errors = fullMessage(limitBytes).replaceAll('limit(', 'limti(')
  const rows = [
    ['typical alert', ...timesOf(typicalAlert, rounds, 500), '20'],
    ['64 KiB, 960 commands', ...timesOf(full, rounds, 1), '10000'],
    ['64 KiB, wrong throughout', ...timesOf(errors, rounds, 1), '10000'],
  ]
  return textTable(['read and checked, us', 'median', 'best', 'aim'], rows)
}

function timesOf(text: string, rounds: number, repeats: number): string[] {
  const times = measure(text, rounds, repeats)
  return [median(times), Math.min(...times)].map((us) => us.toFixed(us < 100 ? 1 : 0))
}

/** The time of one reading in us, as many times as asked for. */
function measure(text: string, rounds: number, repeats: number): number[] {
  return Array.from({ length: rounds }, () => {
    const start = performance.now()
    for (let left = repeats; left > 0; left--) readMessage(text, bots)
    return ((performance.now() - start) * 1_000) / repeats
  })
}

// The best of a few readings in a row: one that another process interrupts says nothing of how time grows.
const inRow = 4

function calm(text: string): number {
  return Math.min(...measure(text, inRow, 1))
}

/** The texts that took longest at their full length, the slowest first. */
function findWorst(count: number): HardText[] {
  // Every way of reading is compiled before the first of them is timed.
  for (const text of hardTexts) measure(text.ofLength(limitBytes / 4), 2, 1)
  const timed = hardTexts.map((text) => ({
    text,
    best: calm(text.ofLength(limitBytes)),
  }))
  return timed
    .toSorted((a, b) => b.best - a.best)
    .slice(0, count)
    .map(({ text }) => text)
}

function worstTable(texts: readonly HardText[], rounds: number): string {
  const rows = texts.map((text) => {
    const [half, whole] = [text.ofLength(limitBytes / 2), text.ofLength(limitBytes)]
    const times = Array.from({ length: rounds }, () => [calm(half), calm(whole)])
    const [halfUs, wholeUs] = [0, 1].map((index) => median(times.map((pair) => pair[index] ?? 0)))
    if (halfUs === undefined || wholeUs === undefined) throw new Error('Nothing was measured')
    return [text.name, halfUs.toFixed(0), wholeUs.toFixed(0), (wholeUs / halfUs).toFixed(2)]
  })
  const title = `${hardTexts.length} texts tried, the slowest`
  return textTable([title, '32 KiB, us', '64 KiB, us', 'ratio (aim 2.3)'], rows)
}

async function sizeTable(): Promise<string> {
  const parts = {
    'reading and checking': ['read-message', 'notation'],
    'with printing, completion and hover': ['read-message', 'notation', 'format-blocks', 'complete', 'hover'],
  }
  const rows: string[][] = []
  for (const [name, modules] of Object.entries(parts)) {
    const { minified, gzip } = await bundleSize(modules)
    rows.push([name, String(minified), String(gzip)])
  }
  return textTable(['in the browser, bytes', 'minified', 'gzip'], rows)
}
