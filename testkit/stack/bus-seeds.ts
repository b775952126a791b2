import { newBusSeed, publicBusKey } from '@tripline/kit/bus/nkey'
import { type BusUser, busUsers } from '@tripline/proto/permission'

/** The secret of every user of the bus. */
export type BusSeeds = Record<BusUser, string>

/** A value for every user of the bus. */
export function forEachBusUser(make: (user: BusUser) => string): BusSeeds {
  return Object.fromEntries(busUsers.map((user) => [user, make(user)])) as BusSeeds
}

/** New secrets for every user of the bus. */
export function newBusSeeds(): BusSeeds {
  return forEachBusUser(newBusSeed)
}

/** The public keys that belong to the secrets. */
export function publicBusKeys(seeds: BusSeeds): BusSeeds {
  return forEachBusUser((user) => publicBusKey(seeds[user]))
}
