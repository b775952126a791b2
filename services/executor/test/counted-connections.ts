import { openConnections, type VenueConnections } from '../src/venue/dispatcher.ts'

/** Connections that tell the paths of what was asked over them. */
export type CountedConnections = VenueConnections & { asked: readonly string[] }

/** New connections over which nothing was asked yet. */
export function countedConnections(): CountedConnections {
  const { dispatcher, ...rest } = openConnections()
  const asked: string[] = []
  const counted = dispatcher.compose((dispatch) => (options, handler) => {
    asked.push(options.path)
    return dispatch(options, handler)
  })
  return { ...rest, dispatcher: counted, asked }
}
