import { openConnections, type VenueConnections } from '../../src/venue/connections.ts'
import { noting } from '../noting.ts'

/** Connections that note each request as it leaves, by its method and path. */
export interface RecordedConnections {
  connections: VenueConnections
  sent: string[]
}

/** Opens connections that nothing was sent over yet. */
export function recordedConnections(): RecordedConnections {
  const connections = openConnections()
  const sent: string[] = []
  const dispatcher = noting(connections.dispatcher, ({ method, path }) => {
    sent.push(`${method} ${path.replace(/\?.*/, '')}`)
  })
  return { connections: { ...connections, dispatcher }, sent }
}
