import { isZero, subtract } from '@tripline/proto/decimal'
import { waitFor } from '@tripline/testkit/wait-for'
import type { AccountReading } from '../../src/domain/account/account.ts'
import type { ReadingScope } from '../../src/domain/account/reading-scope.ts'
import type { Venue } from '../../src/venue/venue.ts'

/** Reads of an account that may be partly known without a request. */
export interface Readings {
  read: (scope?: ReadingScope) => Promise<AccountReading>
  /** Returns the number of account requests over its client's connections. */
  timesAsked: () => number
  /** A reading for which the account was asked nothing, once there is one. */
  known: (scope?: ReadingScope) => Promise<AccountReading>
  /** Settles once a reading, asked or not, shows this position. */
  position: (quantity: string) => Promise<void>
}

interface ReadAccount {
  venue: Pick<Venue, 'read'>
  /** The paths of what was asked so far. */
  asked: readonly string[]
}

/** Reads BTCUSDT of the account of that moment, which is asked by requests whose path has one of these in it. */
export function readingsOf(account: () => ReadAccount, paths: readonly string[]): Readings {
  async function read(scope?: ReadingScope): Promise<AccountReading> {
    const reading = await account().venue.read('BTCUSDT', { scope })
    if (reading.outcome !== 'read') throw new Error(JSON.stringify(reading))
    return reading.account
  }
  const timesAsked = (): number =>
    account().asked.filter((path) => paths.some((part) => path.includes(part))).length
  return {
    read,
    timesAsked,
    known: async (scope = 'position') =>
      await waitFor(async () => {
        const before = timesAsked()
        const reading = await read(scope)
        return timesAsked() === before && reading
      }),
    position: async (quantity) => {
      await waitFor(async () => isZero(subtract((await read('position')).position, quantity)))
    },
  }
}
