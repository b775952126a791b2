import { openConnections, type VenueConnections } from '../../src/venue/dispatcher.ts'

/** Connections that note each request as it leaves, by its method and path. */
export interface RecordedConnections {
  connections: VenueConnections
  sent: string[]
}

/** Opens connections that nothing was sent over yet. */
export function recordedConnections(): RecordedConnections {
  const connections = openConnections()
  const sent: string[] = []
  const dispatcher = connections.dispatcher.compose((dispatch) => (options, handler) => {
    sent.push(`${options.method} ${options.path.replace(/\?.*/, '')}`)
    return dispatch(options, handler)
  })
  return { connections: { ...connections, dispatcher }, sent }
}
