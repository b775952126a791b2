import { marketOf } from '../../domain/market.ts'
import type { VenueEvent } from '../../exchange.ts'
import type { Entry } from '../../store/ledger.ts'
import type { Backing } from '../backing.ts'
import type { Feed } from '../feed.ts'
import type { Peer } from '../socket.ts'
import { cancelName } from './cancel-name.ts'
import { newClientId } from './client-id.ts'
import { formatBalanceUpdate, formatExecution, formatListStatus, formatPosition } from './format-event.ts'

/** Subscribers of accounts' events. */
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

type Board = Readonly<{
  feed: Feed
  byPeer: Map<Peer, readonly Subscription[]>
  byEntry: Map<Entry, Set<Peer>>
  lastIds: WeakMap<Peer, number>
  /** The balances that a listener was sent last. */
  seen: WeakMap<Entry, Balances>
}>

/** Nobody listens yet. */
export function createAccountStreams({ exchange, feed }: Pick<Backing, 'exchange' | 'feed'>): AccountStreams {
  const board: Board = {
    feed,
    byPeer: new Map(),
    byEntry: new Map(),
    lastIds: new WeakMap(),
    seen: new WeakMap(),
  }
  exchange.subscribe((event) => {
    const peers = 'entry' in event ? board.byEntry.get(event.entry) : undefined
    if (!('entry' in event) || !peers) return
    for (const accountEvent of eventsOf(event, board.seen))
      for (const peer of peers) push(board, peer, event.entry, accountEvent)
  })
  return {
    subscribe: (peer, entry) => subscribe(board, peer, entry),
    unsubscribe: (peer, id) => unsubscribe(board, peer, id),
    list: (peer) => board.byPeer.get(peer) ?? [],
  }
}

function push({ byPeer, feed }: Board, peer: Peer, entry: Entry, { symbol, body }: AccountEvent): void {
  const subscription = byPeer.get(peer)?.find((one) => one.entry === entry)
  if (!subscription) return
  const text = JSON.stringify({ subscriptionId: subscription.id, event: body })
  feed.send(peer, entry.apiKey, symbol, text)
}

function subscribe(board: Board, peer: Peer, entry: Entry): number | 'active' | 'full' {
  const mine = board.byPeer.get(peer) ?? []
  if (mine.some((one) => one.entry === entry)) return 'active'
  if (mine.length >= MOST_SUBSCRIPTIONS) return 'full'
  const id = (board.lastIds.get(peer) ?? -1) + 1
  board.lastIds.set(peer, id)
  // A request that was held up may outlive its connection, with which its subscription would have ended.
  if (!board.feed.join(peer, entry.apiKey)) return id
  board.byPeer.set(peer, [...mine, { id, entry }])
  board.byEntry.set(entry, (board.byEntry.get(entry) ?? new Set()).add(peer))
  board.seen.set(entry, entry.account.balances)
  return id
}

function unsubscribe({ byPeer, byEntry }: Board, peer: Peer, id: number | undefined): boolean {
  const mine = byPeer.get(peer) ?? []
  const ending = mine.filter((one) => id === undefined || one.id === id)
  for (const { entry } of ending) {
    const peers = byEntry.get(entry)
    peers?.delete(peer)
    if (peers?.size === 0) byEntry.delete(entry)
  }
  const left = mine.filter((one) => !ending.includes(one))
  if (left.length > 0) byPeer.set(peer, left)
  else byPeer.delete(peer)
  return ending.length > 0
}

type AccountEvent = Readonly<{ symbol?: string; body: unknown }>

function eventsOf(
  event: Extract<VenueEvent, { entry: Entry }>,
  seen: WeakMap<Entry, Balances>,
): AccountEvent[] {
  const { entry, at } = event
  if (event.kind === 'account') {
    const changes = event.reason === 'reset' ? transfersOf(entry, seen.get(entry), event.assets, at) : []
    seen.set(entry, entry.account.balances)
    return event.assets.length === 0 ? [] : [...changes, { body: formatPosition(entry, event.assets, at) }]
  }
  // Only positions pay funding, and spot has none.
  if (event.kind === 'funding') return []
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
): AccountEvent[] {
  return assets.flatMap((asset) => {
    const delta = (entry.account.balances.get(asset) ?? 0n) - (before?.get(asset) ?? 0n)
    return delta === 0n ? [] : [{ body: formatBalanceUpdate(asset, delta, at) }]
  })
}
