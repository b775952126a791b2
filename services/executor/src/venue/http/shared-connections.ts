import type { Dispatcher } from 'undici'

/** Connections that requests take turns on. */
export interface SharedConnections {
  dispatcher: Dispatcher
  /** Called when a request to this origin is written, with the time that it waited for a free one, in ms. */
  onQueued?: ((waitedMs: number, origin: string) => void) | undefined
}
