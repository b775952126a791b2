import type { Bus } from '@tripline/kit/bus/bus'

/** The bus on which a stream cannot be read, or not at first. */
export function withoutReading(bus: Bus, unread: string, times = Number.POSITIVE_INFINITY): Bus {
  const { consumers, streams } = bus.manager
  let failures = 0
  const fail = (stream: string): void => {
    if (stream === unread && failures++ < times) throw new Error('no answer')
  }
  const add: typeof consumers.add = async (stream, config) => {
    fail(stream)
    return await consumers.add(stream, config)
  }
  const reading: typeof streams = Object.create(streams)
  reading.getMessage = async (stream, query) => {
    // Reading on asks for the next message on a subject; getting a key asks for its last one.
    if (typeof query === 'object' && 'next_by_subj' in query) fail(stream)
    return await streams.getMessage(stream, query)
  }
  return { ...bus, manager: { ...bus.manager, consumers: { ...consumers, add }, streams: reading } }
}
