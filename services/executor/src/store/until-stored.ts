import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus } from '@tripline/kit/bus/bus'
import type { Hold } from '../domain/sharing/lease.ts'

const againMs = 100

/** The hold on what every process may read or delete. */
export const always = (): Hold => 'held'

/**
 * The answer of an act at the bus, however long that is away; not begun while what it is about is not surely ours.
 * Throws once the bus is closed or that is gone. An act may be done more than once, so it has to come to the same each
 * time.
 */
export async function untilStored<Value>(
  bus: Bus,
  hold: () => Hold,
  act: () => Promise<Value>,
  about: string,
): Promise<Value> {
  let isFailing = false
  for (;;) {
    try {
      if (hold() === 'held') return await act()
    } catch (error) {
      if (bus.connection.isClosed()) throw error
      if (!isFailing) bus.log.error({ err: error, about }, 'not stored yet')
      isFailing = true
    }
    if (bus.connection.isClosed() || hold() === 'gone') throw new Error(`${about} was not stored in time`)
    await sleep(againMs)
  }
}
