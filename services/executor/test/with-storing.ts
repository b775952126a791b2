import { type Bus, connectBus } from '@tripline/kit/bus/bus'
import type { Overrides } from '../src/app.ts'

type Publish = Bus['publishStored']

/** An executor that stores by this, which is given how it would; it goes another way to the bus where one is given. */
export function withStoring(
  store: (publication: Parameters<Publish>[0], publish: Publish) => ReturnType<Publish>,
  way?: { url: string },
): Pick<Overrides, 'connect'> {
  return {
    connect: async (options) => {
      const bus = await connectBus(way === undefined ? options : { ...options, url: way.url })
      const { publishStored: publish } = bus
      bus.publishStored = async (publication) => await store(publication, publish)
      return bus
    },
  }
}
