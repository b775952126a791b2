import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus } from '@tripline/kit/bus'

const againMs = 100

/**
 * The answer of an act at the bus, however long that is away; not begun before it is allowed. Throws once the bus is
 * closed. An act may be done more than once, so it has to come to the same each time.
 */
export async function untilStored<Value>(
  bus: Bus,
  mayStore: () => boolean,
  act: () => Promise<Value>,
  about: string,
): Promise<Value> {
  let isFailing = false
  for (;;) {
    try {
      if (mayStore()) return await act()
    } catch (error) {
      if (bus.connection.isClosed()) throw error
      if (!isFailing) bus.log.error({ err: error, about }, 'not stored yet')
      isFailing = true
    }
    if (bus.connection.isClosed()) throw new Error(`${about} was not stored before the bus was closed`)
    await sleep(againMs)
  }
}
