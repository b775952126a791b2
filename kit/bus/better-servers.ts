import { setTimeout as sleep } from 'node:timers/promises'
import { type BusUser, roundTripPrefix } from '@tripline/proto/permission'
import { type ConnectionOptions, connect, createInbox, type NatsConnection } from 'nats'
import { z } from 'zod'
import { steadyNow } from '../time/clock.ts'

const handshakeMs = 3000
const answerMs = 2000
/** Within this a message of one server has reached all that it is not cut off from, on a busy machine too. */
const reachMs = 2000
const sendAgainMs = 100

interface Comparison {
  /** The connection that is in use. */
  connection: NatsConnection
  user: BusUser
  /** Options of the connection, for every server. */
  options: ConnectionOptions
  /** Every server of the bus. */
  servers: readonly string[]
}

/** A server, by a connection to it, with the servers that it has messages of. */
interface View {
  id: string
  connection: NatsConnection
  reached: Set<string>
}

/**
 * The ids of the servers that serve streams while the one in use does not: they reach most of all servers, and their
 * JetStream answers. None where it is the bus that has no majority or chooses who leads.
 */
export async function betterServers(comparison: Comparison): Promise<ReadonlySet<string>> {
  const { connection, servers } = comparison
  const others = await openOthers(comparison)
  try {
    const own: View = { id: serverId(connection), connection, reached: new Set() }
    await exchange([own, ...others], createInbox(roundTripPrefix(comparison.user)))
    const isInMajority = ({ reached }: View): boolean => reached.size * 2 > servers.length
    const whole = others.filter(isInMajority)
    const serving = await Promise.all(whole.map(async (view) => await servesStreams(view.connection)))
    const better = whole.filter((_, index) => serving[index])
    // It is asked last: what the others answer it may answer by now.
    if (better.length === 0 || (isInMajority(own) && (await servesStreams(connection)))) return new Set()
    return new Set(better.map(({ id }) => id))
  } finally {
    await Promise.all(others.map(async (view) => await view.connection.close()))
  }
}

const ApiAnswer = z.object({ error: z.never().optional() })

/** True where JetStream answers, and has a server that leads it. */
export async function servesStreams(connection: NatsConnection): Promise<boolean> {
  try {
    const answer = await connection.request('$JS.API.INFO', '', { timeout: answerMs })
    return ApiAnswer.safeParse(answer.json()).success
  } catch {
    return false
  }
}

/** The identity of the server that a connection leads to. */
export function serverId(connection: NatsConnection): string {
  return connection.info?.server_id ?? ''
}

/** Connects to every other server that can be reached. */
async function openOthers({ connection, options, servers }: Comparison): Promise<View[]> {
  const opened = await Promise.all(servers.map(async (server) => await open(options, server)))
  const views = new Map<string, View>()
  const known = new Set([serverId(connection)])
  for (const other of opened) {
    if (other === undefined) continue
    const id = serverId(other)
    if (known.has(id)) {
      await other.close()
      continue
    }
    known.add(id)
    views.set(id, { id, connection: other, reached: new Set() })
  }
  return [...views.values()]
}

async function open(options: ConnectionOptions, server: string): Promise<NatsConnection | undefined> {
  const once = { reconnect: false, ignoreClusterUpdates: true, timeout: handshakeMs }
  return await connect({ ...options, ...once, servers: server }).catch(() => undefined)
}

/** Sends from each to all until everything has come that can; notes what came. */
async function exchange(views: readonly View[], subject: string): Promise<void> {
  const subscriptions = views.map(({ connection, reached }) =>
    connection.subscribe(subject, { callback: (error, message) => error ?? reached.add(message.string()) }),
  )
  const deadline = steadyNow() + reachMs
  const isDone = (): boolean => views.every(({ reached }) => reached.size === views.length)
  while (!isDone() && steadyNow() < deadline) {
    for (const { id, connection } of views) if (!connection.isClosed()) connection.publish(subject, id)
    await sleep(sendAgainMs)
  }
  for (const subscription of subscriptions) subscription.unsubscribe()
}
