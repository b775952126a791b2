import { isTerminal, type VenueOrder } from '../../../domain/order/order.ts'
import { isUpdate } from './order-update.ts'

/** Options of comparing a stream with the venue's answers. */
export interface SilenceOptions {
  listOpen: () => Promise<readonly VenueOrder[]>
  /** The last that the stream reported an order. */
  known: (venueOrderId: string) => VenueOrder | undefined
  /** Called where the venue knows of changes that the stream did not report. */
  onSilence: () => void
  checkMs: number
  /** The time by which the stream may be behind a query. */
  graceMs: number
}

/**
 * Finds a stream that answers its pings and reports nothing: open orders are read now and then, and what changed since
 * must have been reported. Returns a function that stops it.
 */
export function watchForSilence(options: SilenceOptions): () => void {
  let before: ReadonlyMap<string, VenueOrder> | undefined
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  const check = async (): Promise<void> => {
    const open = await options.listOpen().catch(() => undefined)
    if (open !== undefined) {
      if (before !== undefined && (await isSilent(options, before, open)) && !isStopped) options.onSilence()
      before = new Map(open.map((order) => [order.venueOrderId, order]))
    }
    if (!isStopped) timer = setTimeout(() => void check(), options.checkMs)
  }
  void check()
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}

/** True when the stream is behind this state of an order; a change that only the time shows is none. */
export function isBehind(order: VenueOrder, known: VenueOrder | undefined): boolean {
  return isUpdate({ ...order, updatedAt: null }, known)
}

async function isSilent(
  { known, graceMs }: SilenceOptions,
  before: ReadonlyMap<string, VenueOrder>,
  open: readonly VenueOrder[],
): Promise<boolean> {
  const present = new Set(open.map(({ venueOrderId }) => venueOrderId))
  const hasMissedUpdate = (): boolean =>
    open.some((order) => {
      const { venueOrderId } = order
      return isBehind(order, known(venueOrderId) ?? before.get(venueOrderId))
    }) || [...before.keys()].some((id) => !present.has(id) && !hasEnded(known(id)))
  if (!hasMissedUpdate()) return false
  await new Promise((resolve) => setTimeout(resolve, graceMs))
  return hasMissedUpdate()
}

function hasEnded(order: VenueOrder | undefined): boolean {
  return order !== undefined && isTerminal(order)
}
