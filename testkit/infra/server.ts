import { setTimeout as sleep } from 'node:timers/promises'
import type { ChildServer } from './child-server.ts'
import { hasRoom } from './disk-room.ts'

/** A server that can be used: where it is, where it came from, and how to end its use. */
export interface Server {
  readonly url: string
  readonly how: string
  /** Starts it again at the same address after a stop; nothing for a server that somebody else runs. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** Changes of a server of our own that nobody asked for; a `lost` one is not started any more. */
export type ServerChange =
  | { kind: 'ended'; how: string }
  | { kind: 'returned' }
  | { kind: 'lost'; error: unknown }

export type OnServerChange = (change: ServerChange) => void

/** A server of our own: its address, its data, and how it is launched, each time on both. */
interface OwnServer {
  url: string
  how: string
  dataDir: string
  launch: () => Promise<ChildServer>
  /** Returns why it has to be started again though it runs; undefined of one that serves. */
  fault?: () => Promise<string | undefined>
  /** Without a listener it is left as it ends. */
  onChange?: OnServerChange | undefined
}

const firstRestartMs = 100
const slowestRestartMs = 5000
const mostFailedStarts = 6
// A server that lived this long has recovered from what killed the one before.
const recoveredAfterMs = 30_000
const checkMs = 2000

/** A server that somebody else runs, named by a setting; stopping leaves it alone. */
export function givenServer(setting: string): Server | undefined {
  const url = process.env[setting]
  return url ? serverOf(url, `given by ${setting}`) : undefined
}

/** A server at an address that somebody else runs. */
export function serverOf(url: string, how: string): Server {
  return { url, how, start: async () => {}, stop: async () => {} }
}

/** A server of our own; where changes are listened to it is started again, at the same address, whenever it ends unasked. */
export async function ownServer(options: OwnServer): Promise<Server> {
  const { url, how, dataDir, launch, fault, onChange } = options
  let isWanted = true
  let deaths = 0
  let returning: Promise<void> = Promise.resolve()

  const follow = (server: ChildServer): ChildServer => {
    const startedAt = performance.now()
    const end = () => {
      if (!isWanted || onChange === undefined || server !== running) return
      deaths = performance.now() - startedAt > recoveredAfterMs ? 1 : deaths + 1
      onChange({ kind: 'ended', how: causes.get(server) ?? howItEnded(server) })
      returning = bringBack(onChange)
    }
    if (server.hasEnded()) queueMicrotask(end)
    else server.child.once('exit', end)
    return server
  }
  const bringBack = async (changed: OnServerChange) => {
    for (let failures = 0; ; ) {
      await sleep(Math.min(firstRestartMs * 2 ** (deaths + failures - 1), slowestRestartMs))
      if (!isWanted) return
      try {
        running = follow(await launch())
        return changed({ kind: 'returned' })
      } catch (error) {
        // On a full disk no server starts, and each will once there is room.
        if (hasRoom(dataDir)) failures++
        if (failures >= mostFailedStarts) return changed({ kind: 'lost', error })
      }
    }
  }
  const causes = new WeakMap<ChildServer, string>()
  let running = follow(await launch())
  const check = async () => {
    const server = running
    if (!isWanted || server.hasEnded() || !hasRoom(dataDir)) return
    const cause = await fault?.()
    if (cause === undefined || causes.has(server)) return
    causes.set(server, cause)
    server.child.kill('SIGTERM')
  }
  if (fault && onChange) setInterval(() => void check(), checkMs).unref()
  const start = async () => {
    isWanted = true
    await returning
    if (running.hasEnded()) running = follow(await launch())
  }
  const stop = async () => {
    isWanted = false
    await returning
    await running.stop()
  }
  return { url, how, start, stop }
}

function howItEnded({ child }: ChildServer): string {
  return child.signalCode ?? `code ${child.exitCode}`
}
