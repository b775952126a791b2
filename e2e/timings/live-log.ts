import type { ServerResponse } from 'node:http'
import type { LiveEvent } from '@tripline/proto/live-event'
import type { Page } from 'playwright-core'
import type { InBetween } from '../in-between.ts'
import { desktop, mobile, readVitals, slowDown, watchVitals } from './vitals.ts'

/** The figures of many live events that came at once. */
export interface BurstFigures {
  /** From the first that was sent to the last that was seen. */
  shownMs: number
  longestTaskMs: number
  /** Of the lines that stay, those that are not where they belong. */
  misplaced: number
  /** Bytes that are still held after ten such bursts. */
  heapGrowth: number
  /** Each of many jumps through the lines, at a fourth of the speed, up to the picture of it. */
  jumpsMs: number[]
}

const burst = 10_000
const bursts = 10
const mostLines = 200
const jumps = 100

/** Lets bursts of events come to the terminal, which has a session and sees the product through this. */
export async function measureBursts(page: Page, between: InBetween): Promise<BurstFigures> {
  const stream = takeStream(between)
  await watchVitals(page)
  await page.goto('/terminal')
  await page.locator('.cm-content').waitFor()
  await page.getByText('● Live Stream').waitFor()
  const send = async (from: number) => {
    const startedAt = performance.now()
    stream.write(written(from, from + burst))
    await page.getByText(messageOf(from + burst - 1), { exact: true }).waitFor()
    return performance.now() - startedAt
  }
  // The first finds a page that has never drawn a line.
  await send(0)
  const { tasksMs: before } = await readVitals(page)
  const heapBefore = await heapBytes(page)
  const shownMs = await send(burst)
  const { tasksMs } = await readVitals(page)
  const misplaced = await misplacedLines(page, 2 * burst)
  for (let time = 2; time <= bursts; time++) await send(time * burst)
  const heapGrowth = (await heapBytes(page)) - heapBefore
  const longestTaskMs = Math.max(0, ...tasksMs.slice(before.length))
  return { shownMs, longestTaskMs, misplaced, heapGrowth, jumpsMs: await jumpThrough(page) }
}

/** Serves the stream of live events to the last caller. */
function takeStream(between: InBetween): { write: (text: string) => void } {
  let open: ServerResponse | undefined
  between.answerItself('/api/events/stream', (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    response.write(': keep-alive\n\n')
    open = response
  })
  return { write: (text) => void open?.write(text) }
}

// Numbered as orders of an exchange are, so that the log shows each number as it is.
const messageOf = (number: number) => `buy 0.01 BTCUSDT at market, order ${4_000_000_000 + number}`

function written(from: number, to: number): string {
  return Array.from({ length: to - from }, (_, index) => {
    const event: LiveEvent = {
      timestamp: '2026-01-02T03:04:05.006Z',
      type: 'exchange',
      message: messageOf(from + index),
      details: { execution_id: '01JD3Q4R5S6T7V8W9X0Y1Z2A3B-0', symbol: 'BTCUSDT', duration_ms: 12 },
    }
    return `id: ${from + index}\ndata: ${JSON.stringify(event)}\n\n`
  }).join('')
}

async function misplacedLines(page: Page, end: number): Promise<number> {
  const lines = await page.getByRole('log').locator('.log-message').allTextContents()
  const expected = Array.from({ length: mostLines }, (_, index) => messageOf(end - mostLines + index))
  const others = expected.filter((line, index) => lines[index] !== line)
  return others.length + Math.abs(lines.length - mostLines)
}

async function heapBytes(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize
}

async function jumpThrough(page: Page): Promise<number[]> {
  await slowDown(page, { ...desktop, slowdown: mobile.slowdown })
  return page.getByRole('log').evaluate(jumpAbout, jumps)
}

interface ScrollBox {
  scrollTop: number
  scrollHeight: number
}

/** Runs in the page. */
async function jumpAbout(element: unknown, times: number): Promise<number[]> {
  const box = element as ScrollBox
  const frame = (globalThis as unknown as { requestAnimationFrame: (call: () => void) => void })
    .requestAnimationFrame
  // Messages posted from a frame come after its picture.
  const drawn = () => new Promise<void>((resolve) => frame(() => setTimeout(resolve)))
  const took: number[] = []
  for (let time = 0; time < times; time++) {
    await drawn()
    const startedAt = performance.now()
    box.scrollTop = (box.scrollHeight * ((time * 7) % times)) / times
    await drawn()
    took.push(performance.now() - startedAt)
  }
  return took
}
