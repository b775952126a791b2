import type { Log } from '@tripline/kit/telemetry/log'
import type { Clock } from '../clock.ts'
import type { Exchange } from '../exchange.ts'
import type { Faults } from '../store/faults.ts'
import type { Journal } from '../store/journal.ts'
import type { Lateness } from '../store/lateness.ts'
import type { Feed } from './feed.ts'
import type { Wire } from './message.ts'
import type { SocketWire } from './socket.ts'

/** Which clients are refused that ask too much: those of an address, of an account, or none. */
export type Enforcement = 'on' | 'accounts' | 'off'

/** A request to an endpoint of a venue, as it is counted. */
export type WireRequest = Readonly<{ wire: string; transport: 'rest' | 'ws'; endpoint: string }>

/** A wire's needs of the venue behind it. */
export type Backing = Readonly<{
  exchange: Exchange
  journal: Journal
  faults: Faults
  lateness: Lateness
  clock: Clock
  log: Log
  /** Ends the waits of delayed requests when the service stops. */
  stopping: AbortSignal
  /** Whether clients that ask too much are refused; what they use is counted in any case. */
  limits: Enforcement
  feed: Feed
  /** Counts a request with any outcome. */
  onRequest: (request: WireRequest) => void
  /** Registers what ends listen keys when a fault wants it; it asks of each live one whether the fault strikes it. */
  onExpireListenKeys: (expire: (isStruck: (apiKey: string) => boolean) => void) => void
}>

/** A venue over HTTP, and over sockets where it has them. */
export type VenueWire = Readonly<{ http: Wire; sockets?: SocketWire }>
