import { openStreams } from '../binance/stream-sockets.ts'
import type { Feed } from '../feed.ts'
import type { SocketRequest, SocketWire } from '../socket.ts'
import type { PublicStreams } from './public-streams.ts'
import type { UserStreams } from './user-streams.ts'

// The paths of public, market and private streams; the older ones name none of the three.
const PATH = /^(?:\/(?:private|public|market))?\/(ws|stream)(?:\/(.*))?$/

/** Connections to streams: of accounts by their listen keys, of markets by name. */
export function createStreamSockets(feed: Feed, users: UserStreams, markets: PublicStreams): SocketWire {
  return (request, peer) => {
    const [, form, inPath] = PATH.exec(request.path) ?? []
    if (form === undefined) return undefined
    return openStreams(
      feed,
      (name, push, claim) => users.join(name, push, claim) ?? markets.join(name, push),
      peer,
      form === 'stream' ? 'combined' : 'raw',
      firstNames(request, inPath),
    )
  }
}

function firstNames({ query }: SocketRequest, inPath: string | undefined): string[] {
  const params = new URLSearchParams(query)
  const all = [inPath, params.get('streams'), params.get('listenKey')]
  return all.flatMap((text) => (text ?? '').split('/')).filter((name) => name !== '')
}
