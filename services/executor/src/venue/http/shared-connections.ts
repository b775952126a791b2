import type { Dispatcher } from 'undici'

/** Connections that requests take turns on. */
export interface SharedConnections {
  dispatcher: Dispatcher
  /** Called when a request is written, with the time that it waited for a free one, in ms. */
  onQueued?: ((waitedMs: number) => void) | undefined
}
