import type { ChildServer } from './child-server.ts'

/** A server that can be used: where it is, where it came from, and how to end its use. */
export interface Server {
  readonly url: string
  readonly how: string
  /** Starts it again at the same address after a stop; nothing for a server that somebody else runs. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** A server that somebody else runs, named by a setting; stopping leaves it alone. */
export function givenServer(setting: string): Server | undefined {
  const url = process.env[setting]
  if (!url) return undefined
  return { url, how: `given by ${setting}`, start: async () => {}, stop: async () => {} }
}

/** A server of our own that `launch` starts, each time at the same address. */
export async function ownServer(
  url: string,
  how: string,
  launch: () => Promise<ChildServer>,
): Promise<Server> {
  let running = await launch()
  const start = async () => {
    if (running.hasEnded()) running = await launch()
  }
  return { url, how, start, stop: () => running.stop() }
}
