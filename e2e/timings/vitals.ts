import type { CDPSession, Page } from 'playwright-core'

/** A page's own measurements since it was opened. */
export interface Vitals {
  firstPaintMs: number
  largestPaintMs: number
  /** The part of the page that has moved by itself (cumulative layout shift). */
  shift: number
  /** Tasks of 50 ms and more. */
  tasksMs: number[]
  /** The longest event of each click and key, from the press to the picture that shows what it did. */
  interactionsMs: number[]
}

/** A machine and a line to look through. */
export interface Preset {
  name: 'mobile' | 'desktop'
  width: number
  /** The factor by which the page is slower than this machine. */
  slowdown: number
  line: { latency: number; downloadThroughput: number; uploadThroughput: number }
}

const line = (latency: number, kilobitsPerSecond: number): Preset['line'] => ({
  latency,
  downloadThroughput: (kilobitsPerSecond * 1000) / 8,
  uploadThroughput: (kilobitsPerSecond * 1000) / 8,
})

// Those of Lighthouse.
export const mobile: Preset = { name: 'mobile', width: 412, slowdown: 4, line: line(150, 1638) }
export const desktop: Preset = { name: 'desktop', width: 1350, slowdown: 1, line: line(40, 10_240) }

/** Makes a page note its vitals, from its next address on. */
export async function watchVitals(page: Page): Promise<void> {
  await page.addInitScript(noteVitals)
}

/** Lets a page see the world through a preset. */
export async function slowDown(page: Page, { slowdown, line }: Preset): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', { offline: false, ...line })
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  return session
}

/** Returns the page's measurements so far. */
export function readVitals(page: Page): Promise<Vitals> {
  return page.evaluate(() => {
    const { vitals } = globalThis as unknown as { vitals: Omit<Vitals, 'interactionsMs'> & { byId: object } }
    const { byId, ...others } = vitals
    return { ...others, interactionsMs: Object.values(byId) }
  })
}

/** Entries of browsers, all kinds in one. */
interface Entry {
  name: string
  startTime: number
  duration: number
  value: number
  hadRecentInput: boolean
  interactionId: number
}
type Observer = new (
  note: (list: { getEntries: () => Entry[] }) => void,
) => { observe: (options: object) => void }

/** Runs in the page, before anything of it. */
function noteVitals(): void {
  const byId: Record<number, number> = {}
  const vitals = { firstPaintMs: 0, largestPaintMs: 0, shift: 0, tasksMs: [] as number[], byId }
  Object.assign(globalThis, { vitals })
  const BrowserObserver = PerformanceObserver as unknown as Observer
  const observe = (type: string, note: (entry: Entry) => void) =>
    new BrowserObserver((list) => list.getEntries().forEach(note)).observe({
      type,
      buffered: true,
      durationThreshold: 16,
    })
  observe('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') vitals.firstPaintMs = startTime
  })
  observe('largest-contentful-paint', ({ startTime }) => {
    vitals.largestPaintMs = startTime
  })
  observe('layout-shift', ({ value, hadRecentInput }) => {
    if (!hadRecentInput) vitals.shift += value
  })
  observe('longtask', ({ duration }) => vitals.tasksMs.push(duration))
  observe('event', ({ interactionId, duration }) => {
    if (interactionId) byId[interactionId] = Math.max(byId[interactionId] ?? 0, duration)
  })
}
