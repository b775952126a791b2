import { setTimeout as sleep } from 'node:timers/promises'
import { paperControl } from '@tripline/testkit/paper-control'
import type { Random } from '@tripline/testkit/random'
import type { Trouble } from './trouble.ts'

/** The time for which a fault counts as being there: how many requests it meets is up to the exchange. */
const faultMs = 1500
const mostRequests = 8

type Fault = (random: Random) => { ms?: number; status?: number }

const plain: Fault = () => ({})
const timed =
  (most: number): Fault =>
  (random) => ({ ms: random.between(50, most) })

/** Everything that leaves the outcome of a request open, or what happened; nothing that refuses an order finally. */
const faults: readonly (readonly [action: string, Fault])[] = [
  ['drop', plain],
  ['accept-then-drop', plain],
  ['delay', timed(4000)],
  ['accept-then-delay', timed(6000)],
  ['stall-body', timed(3000)],
  ['status', () => ({ status: 503 })],
  ['accept-then-status', () => ({ status: 503 })],
  ['read-lag', timed(1000)],
  ['duplicate-events', plain],
  ['reorder-events', plain],
  ['silent-stream', plain],
  ['disconnect', plain],
  ['expire-listen-key', plain],
]

/** Troubles of the exchange, each for some requests. */
export const exchangeTroubles: readonly Trouble[] = faults.map(([action, detailsOf]) => ({
  name: `exchange: ${action}`,
  make: async ({ product }, random) => {
    const fault = { action, ...detailsOf(random), count: random.between(1, mostRequests) }
    await paperControl(product.urls.paper).addFault(fault)
    await sleep(faultMs)
  },
}))
