import { readRefusal } from './refusal.ts'
import type { Answer, Headers } from './send-form.ts'

/** How pressing a request is: what shrinks risk may go on when others may not. */
export type Urgency = 'entry' | 'read' | 'exit'

/** Something the venue counts within a window of time, and of which only so much may be used. */
interface Meter {
  windowMs: number
  most: number
}

/** What of the venue's limits is used; it says so with each answer. */
export interface Limits {
  /** Why a request is not to be sent now, in words; undefined where it may be. */
  objectionTo: (urgency: Urgency) => string | undefined
  /** Takes in what the venue says of its limits with an answer. */
  heed: (answer: Answer) => void
}

/** How a market of the venue counts. */
export interface LimitTable {
  /** Request weight per minute of one address. */
  weight: number
  /** Orders of one account, by the name of the window in the venue's headers. */
  orders: Readonly<Record<string, Meter>>
}

const second = 1000
const minute = 60 * second
const day = 24 * 60 * minute

/** As the venue publishes them in exchangeInfo. */
export const futuresLimits: LimitTable = {
  weight: 2400,
  orders: { '10s': { windowMs: 10 * second, most: 300 }, '1m': { windowMs: minute, most: 1200 } },
}
export const spotLimits: LimitTable = {
  weight: 6000,
  orders: { '10s': { windowMs: 10 * second, most: 100 }, '1d': { windowMs: day, most: 200_000 } },
}

/** The share of a limit up to which requests of an urgency are sent; what is kept back is for exits and cancels. */
const shares: Record<Urgency, number> = { entry: 0.9, read: 0.97, exit: Number.POSITIVE_INFINITY }

/** The account placed more orders than it may; the address it came from is not meant. */
const tooManyOrders = -1015

// Where the venue says "too often" without saying for how long.
const usualPauseMs = 10 * second

/** What one address has used, for all accounts behind it. */
export interface AddressUsage {
  weight: Gauge
  /** Until when the venue wants to hear little from us (429), and nothing at all (418), by our monotonic clock. */
  hushedUntil: number
  bannedUntil: number
}

interface Gauge {
  used: number
  window: number
}

/** An address that has used nothing. */
export function createAddressUsage(): AddressUsage {
  return { weight: { used: 0, window: 0 }, hushedUntil: 0, bannedUntil: 0 }
}

/** The limits of one account behind an address; `now` is the venue's clock, by which its windows begin. */
export function createLimits(table: LimitTable, address: AddressUsage, now: () => number): Limits {
  const orders = Object.entries(table.orders).map(([name, meter]) => ({
    header: `x-mbx-order-count-${name}`,
    meter,
    gauge: { used: 0, window: 0 },
  }))
  let noEntriesUntil = 0
  const weightMeter: Meter = { windowMs: minute, most: table.weight }
  return {
    objectionTo: (urgency) => {
      const waitMs = pauseOf(address, urgency)
      if (waitMs > 0) return `the exchange wants to be left alone for ${Math.ceil(waitMs / second)} s`
      const isFull = (gauge: Gauge, { windowMs, most }: Meter): boolean =>
        gauge.used >= most * shares[urgency] && gauge.window === windowAt(now(), windowMs)
      if (isFull(address.weight, weightMeter)) return 'the requests of this minute are nearly used up'
      const placesOrder = urgency === 'entry'
      const isSpent = performance.now() < noEntriesUntil
      if (placesOrder && (isSpent || orders.some(({ gauge, meter }) => isFull(gauge, meter))))
        return 'the orders that the exchange allows in a time are nearly used up'
      return undefined
    },
    heed: (answer) => {
      const { status, headers } = answer
      if (status === 429 || status === 418) {
        const until = performance.now() + pauseIn(headers)
        if (readRefusal(status, answer.text).code === tooManyOrders) noEntriesUntil = until
        else if (status === 418) address.bannedUntil = Math.max(address.bannedUntil, until)
        else address.hushedUntil = Math.max(address.hushedUntil, until)
      }
      const at = now()
      note(address.weight, headers['x-mbx-used-weight-1m'], windowAt(at, minute))
      for (const { header, meter, gauge } of orders)
        note(gauge, headers[header], windowAt(at, meter.windowMs))
    },
  }
}

function windowAt(at: number, windowMs: number): number {
  return Math.floor(at / windowMs)
}

function pauseOf({ hushedUntil, bannedUntil }: AddressUsage, urgency: Urgency): number {
  const until = urgency === 'exit' ? bannedUntil : Math.max(hushedUntil, bannedUntil)
  return until - performance.now()
}

function pauseIn(headers: Headers): number {
  const seconds = Number(headers['retry-after'])
  return seconds > 0 ? seconds * second : usualPauseMs
}

/** Answers come in another order than they were counted in: within a window, the highest count is the last. */
function note(gauge: Gauge, header: string | string[] | undefined, window: number): void {
  const used = Number(header)
  if (header === undefined || !(used >= 0)) return
  gauge.used = gauge.window === window ? Math.max(gauge.used, used) : used
  gauge.window = window
}
