import { afterEach, beforeEach } from '@jest/globals'
import { readBucket } from '@tripline/kit/bus/bucket'
import { connectBus } from '@tripline/kit/bus/bus'
import type { HttpService } from '@tripline/kit/lifecycle'
import type { AlertId } from '@tripline/proto/id'
import { type Link, link } from '@tripline/testkit/link'
import { waitFor } from '@tripline/testkit/wait-for'
import { buildRig, type Rig, type RigOverrides, type RigSettings } from './rig.ts'
import { behindOrders } from './with-venues.ts'

/** A rig with a way to the bus and the database that can be cut. */
export interface CuttableRig {
  rig: Rig
  way: Pick<Link, 'url' | 'cut' | 'mend'>
  /** The part of it to the database. */
  databaseWay: Link
  /** With these an executor goes that way. */
  byLink: () => RigOverrides
  /** The orders the exchange accepted, by the last characters of our id, in order. */
  accepted: () => Promise<string[]>
  /** Starts an executor, sends an alert, and has the executor hand over before it learns of the alert's first order. */
  stopBehindOrder: (message: string) => Promise<Stopping>
  stop: () => Promise<void>
}

/** An executor that hands over, with an order of which it learns once that is permitted. */
export interface Stopping {
  first: HttpService
  alertId: AlertId
  permit: () => void
  /** Settles once it is gone. */
  left: Promise<void>
}

/** Such a rig for each test of a file, built before it and stopped behind it; nothing is read from it outside. */
export function cuttableRigOfTest(): CuttableRig {
  const on: Partial<CuttableRig> = {}
  beforeEach(async () => void Object.assign(on, await buildCuttableRig()))
  afterEach(async () => await on.stop?.())
  return on as CuttableRig
}

/** Builds the rig; everything of it is its own. */
export async function buildCuttableRig(settings?: RigSettings): Promise<CuttableRig> {
  const rig = await buildRig(settings)
  const ways = await Promise.all([link(rig.config.NATS_URL), link(rig.config.DATABASE_URL)])
  const [busWay, databaseWay] = ways
  const way = {
    url: busWay.url,
    cut: () => ways.forEach((each) => void each.cut()),
    mend: () => ways.forEach((each) => void each.mend()),
  }
  const accepted = async (): Promise<string[]> =>
    (await rig.paper.journal())
      .filter(({ outcome }) => outcome === 'accepted')
      .map(({ clientOrderId, side }) => `${side} ${clientOrderId?.slice(-5)}`)
  return {
    rig,
    way,
    databaseWay,
    byLink: () => ({
      connect: async (options) => await connectBus({ ...options, url: busWay.url }),
      databaseUrl: databaseWay.url,
    }),
    accepted,
    stopBehindOrder: async (message) => {
      const permitted = Promise.withResolvers<void>()
      const first = await rig.startExecutor(behindOrders(() => permitted.promise))
      const alertId = await rig.send(message)
      await waitFor(async () => (await accepted()).length > 0)
      const left = first.stop()
      // Only once it has begun to hand over does it end between two commands.
      await waitFor(async () =>
        (await readBucket(rig.ops, 'members')).every(({ text }) => text === undefined),
      )
      return { first, alertId, permit: permitted.resolve, left }
    },
    stop: async () => {
      way.mend()
      await rig.stop()
      await Promise.all(ways.map(async (each) => await each.stop()))
    },
  }
}
