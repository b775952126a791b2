import { marketOf } from '../../domain/market.ts'
import type { VenueEvent } from '../../exchange.ts'
import type { Entry } from '../../store/ledger.ts'
import type { Backing } from '../backing.ts'
import type { Peer } from '../socket.ts'
import { cancelName } from './cancel-name.ts'
import { newClientId } from './client-id.ts'
import { formatBalanceUpdate, formatExecution, formatListStatus, formatPosition } from './format-event.ts'

/** Who listens to what happens to which account. */
export type AccountStreams = Readonly<{
  /** Sends the client everything that happens to the account from now on; or why not: it does already, or has no room. */
  subscribe: (peer: Peer, entry: Entry) => number | 'active' | 'full'
  /** Ends one subscription of the client, or all of them; false where there is none to end. */
  unsubscribe: (peer: Peer, id?: number) => boolean
  /** The subscriptions of a client with the accounts they are about. */
  list: (peer: Peer) => readonly Subscription[]
}>

/** One account a client listens to. */
export type Subscription = Readonly<{ id: number; entry: Entry }>

// As many as the venue carries over one connection.
const MOST_SUBSCRIPTIONS = 1_000

type Balances = Entry['account']['balances']

/** Nobody listens yet. */
export function createAccountStreams({ exchange, feed }: Pick<Backing, 'exchange' | 'feed'>): AccountStreams {
  const byPeer = new Map<Peer, Subscription[]>()
  const byEntry = new Map<Entry, Set<Peer>>()
  const seen = new WeakMap<Entry, Balances>()
  const lastIds = new WeakMap<Peer, number>()
  exchange.listen((event) => {
    if (!('entry' in event)) return
    const peers = byEntry.get(event.entry)
    if (!peers) return
    for (const { symbol, body } of eventsOf(event, seen))
      for (const peer of peers) tell(peer, event.entry, symbol, body)
  })
  const tell = (peer: Peer, entry: Entry, symbol: string | undefined, event: unknown): void => {
    const subscription = byPeer.get(peer)?.find((one) => one.entry === entry)
    if (!subscription) return
    feed.send(peer, entry.apiKey, symbol, JSON.stringify({ subscriptionId: subscription.id, event }))
  }
  const leave = (peer: Peer, { entry }: Subscription): void => {
    const peers = byEntry.get(entry)
    peers?.delete(peer)
    if (peers?.size === 0) byEntry.delete(entry)
  }
  return {
    subscribe: (peer, entry) => {
      const mine = byPeer.get(peer) ?? []
      if (mine.some((one) => one.entry === entry)) return 'active'
      if (mine.length >= MOST_SUBSCRIPTIONS) return 'full'
      const id = (lastIds.get(peer) ?? -1) + 1
      lastIds.set(peer, id)
      byPeer.set(peer, [...mine, { id, entry }])
      byEntry.set(entry, (byEntry.get(entry) ?? new Set()).add(peer))
      seen.set(entry, entry.account.balances)
      feed.join(peer, entry.apiKey)
      return id
    },
    unsubscribe: (peer, id) => {
      const mine = byPeer.get(peer) ?? []
      const ending = mine.filter((one) => id === undefined || one.id === id)
      for (const one of ending) leave(peer, one)
      const left = mine.filter((one) => !ending.includes(one))
      if (left.length > 0) byPeer.set(peer, left)
      else byPeer.delete(peer)
      return ending.length > 0
    },
    list: (peer) => byPeer.get(peer) ?? [],
  }
}

type Told = Readonly<{ symbol?: string; body: unknown }>

function eventsOf(event: Extract<VenueEvent, { entry: Entry }>, seen: WeakMap<Entry, Balances>): Told[] {
  const { entry, at } = event
  if (event.kind === 'account') {
    const changes = event.reason === 'reset' ? transfersOf(entry, seen.get(entry), event.assets, at) : []
    seen.set(entry, entry.account.balances)
    return event.assets.length === 0 ? [] : [...changes, { body: formatPosition(entry, event.assets, at) }]
  }
  const market = marketOf(event.kind === 'order' ? event.order.market : event.list.market)
  if (market.venue !== 'binance-spot') return []
  const { symbol } = market
  if (event.kind === 'list') return [{ symbol, body: formatListStatus(entry, event.list, at) }]
  const cancelId = cancelName(entry) ?? newClientId()
  return [{ symbol, body: formatExecution(event.order, event.fill, cancelId, at) }]
}

function transfersOf(
  entry: Entry,
  before: Balances | undefined,
  assets: readonly string[],
  at: number,
): Told[] {
  return assets.flatMap((asset) => {
    const delta = (entry.account.balances.get(asset) ?? 0n) - (before?.get(asset) ?? 0n)
    return delta === 0n ? [] : [{ body: formatBalanceUpdate(asset, delta, at) }]
  })
}
