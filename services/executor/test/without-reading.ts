import type { Bus } from '@tripline/kit/bus'

/** The bus on which a stream cannot be read, or not at first. */
export function withoutReading(bus: Bus, unread: string, times = Number.POSITIVE_INFINITY): Bus {
  const { consumers } = bus.manager
  let failures = 0
  const add: typeof consumers.add = async (stream, config) => {
    if (stream === unread && failures++ < times) throw new Error('no answer')
    return await consumers.add(stream, config)
  }
  return { ...bus, manager: { ...bus.manager, consumers: { ...consumers, add } } }
}
