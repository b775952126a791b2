import { openConnections, type VenueConnections } from '../src/venue/connections.ts'
import { noting } from './noting.ts'

/** Connections that count the requests over them by path. */
export type CountedConnections = VenueConnections & { asked: readonly string[] }

/** New connections over which nothing was asked yet. */
export function countedConnections(): CountedConnections {
  const { dispatcher, ...rest } = openConnections()
  const asked: string[] = []
  const counted = noting(dispatcher, ({ path }) => void asked.push(path))
  return { ...rest, dispatcher: counted, asked }
}
