import { createHash } from 'node:crypto'
import { credentialProblem } from '@tripline/kit/crypto/credential-problem'
import { type OpeningKey, unseal } from '@tripline/kit/crypto/seal'
import type { Log } from '@tripline/kit/telemetry/log'
import type { ClientEvent } from '@tripline/proto/event'
import { type ExchangeMarket, exchangeMarketOf, takesPrivateKeys } from '@tripline/proto/exchange'
import type { BotId, UserId } from '@tripline/proto/id'
import { type BotConfig, Credentials, credentialContext } from '@tripline/proto/user-config'
import type { KeyVerdict } from '../domain/account/key-test.ts'
import { type AbsenceRule, absenceRules } from '../domain/order/absence.ts'
import type { Tenure } from '../domain/sharing/lease.ts'
import { createSetsByKey, type SetsByKey } from '../sets-by-key.ts'
import { type AddressSettings, addressOf, type Network, type VenueAddress } from './addresses.ts'
import type { VenueConnections } from './connections.ts'
import { isBannedAt } from './endpoint.ts'
import {
  createKeyTurns,
  type KeyTurns,
  type KeyWatchTiming,
  usualKeyTiming,
  watchKey,
} from './key/key-watch.ts'
import { createEventLoopYield, type EventLoopYield } from './limits/event-loop-yield.ts'
import { type VenueMarket, venueMarkets } from './markets.ts'
import { rehearsalVenue } from './rehearsal.ts'
import type { OpenedVenue, Venue, VenueOptions } from './venue.ts'

/** The first and the longest interval at which a client is tried again. */
const retryMs = 1000
const longestRetryMs = 5000
/** The same where its credentials are of no use: new ones are tried at once. */
const uselessRetryMs = 600_000
const warmEveryMs = 20_000
/** Clients that are opened in one turn of the event loop: thousands at once would leave no time to renew leases. */
const opensPerTurn = 10
/** Connections to a venue that are kept warm; a burst beyond them opens more. */
const warmConnections = 4

/** A bot's warm client. Two labels of one API key share the account key, and so their lanes. */
export interface BotClient {
  venue: Venue
  accountKey: string
  market: ExchangeMarket
  /** When an order that the market does not show counts as one that it never got. */
  absence: AbsenceRule
}

/** A bot that is ours to serve, with what its client is opened from. */
export interface ServedBot {
  userId: UserId
  bot: BotConfig
  sealed: string
}

/** One long-lived client per bot, opened before the first order and kept warm. */
export interface VenuePool {
  client: (botId: BotId) => BotClient | undefined
  /** The bots whose client is one of this account. */
  botsAt: (accountKey: string) => Iterable<BotId>
  /** The bot's client once it is open; undefined when it is not within the time, at once where its credentials are of no use. */
  whenOpen: (botId: BotId, timeoutMs: number) => Promise<BotClient | undefined>
  /** Settles once the bot's client is open or could not be opened at first, or the time is over. */
  whenTried: (botId: BotId, timeoutMs: number) => Promise<void>
  /** Lets the bot's client be opened before those that no alert waits for. */
  hurry: (botId: BotId) => void
  /** Opens clients for these bots and drops all others. */
  serve: (bots: ServedBot[]) => void
  /** The same for the bots of one user: those of others are not looked at. */
  serveUser: (userId: UserId, bots: readonly ServedBot[]) => void
  /**
   * Loads the markets of Paper before any bot needs them; returns a venue to rehearse on, or undefined when it cannot
   * be reached within the time. Other venues are spoken to once a bot trades there.
   */
  preload: (timeoutMs: number) => Promise<Venue | undefined>
  /** Why the bot's credentials are of no use, and what to do; undefined where that is not known of. */
  problemOf: (botId: BotId) => string | undefined
  /** The user's bots whose credentials are of no use, and why. */
  problemsOf: (userId: UserId) => BotProblem[]
  /** The user's bots with an open client that has not lost its private stream. */
  connectedOf: (userId: UserId) => ConnectedBot[]
  /** Returns the numbers of bots that are served, by whether their client is open. */
  counts: () => { open: number; opening: number }
  /** Settles once every client asked for is open, or the time is over. */
  settled: (timeoutMs: number) => Promise<void>
  close: () => Promise<void>
}

/** Why a bot cannot trade with the credentials that it has, and what its owner can do. */
interface BotProblem {
  botId: BotId
  problem: string
}

/** A bot whose client is open, as its owner calls it. */
interface ConnectedBot {
  label: string
  exchange: ExchangeMarket
}

export interface PoolOptions {
  /** The addresses of the markets that bots trade on. */
  addresses: AddressSettings
  openingKeys: readonly OpeningKey[]
  connections: VenueConnections
  log: Log
  /** Since when the user's partition is surely ours; undefined while it is not. */
  tenureOf: (userId: UserId) => Tenure | undefined
  /** Whether orders go over sockets where the venue has them. */
  orderSockets: boolean
  /** Called with each change of a bot's client. */
  onClient?: ClientListener
  /** Finds out what an exchange has against a bot's key; without it no key is looked at before it is used. */
  judgeKey?: (served: ServedBot) => Promise<KeyVerdict>
  /** When keys are looked at, where not as usual. */
  keyTiming?: Partial<KeyWatchTiming> | undefined
  /** Settles once a client of other credentials may be opened in place of one: alerts that wait for that may be overtaken. */
  beforeReplacing?: (userId: UserId) => Promise<void>
}

/** Receives a change of a bot's client; returns false if it is not to be reported yet. */
export type ClientListener = (served: ServedBot, change: ClientChange) => boolean

export interface ClientChange {
  state: ClientEvent['state']
  /** The time that it took to open. */
  tookMs?: number
  /** Why it cannot be opened with these credentials, and what its owner can do. */
  problem?: string
}

interface Slot {
  /** The client's identity: its credentials and its address. */
  identity: string
  served: ServedBot
  /** Ends what follows the client's account, and what is known of it beside the client. */
  stops: Set<() => void>
  client: BotClient | undefined
  opening: Promise<void>
  /** Settles once it is open, or could not be opened at first. */
  tried: PromiseWithResolvers<void>
  /** The last change of the client, if it was not to be reported. */
  unpublished: ClientChange | undefined
  /** Why its credentials are of no use, as the last try found. */
  problem: string | undefined
  /** Its private stream is lost, and there is no new one yet. */
  isCutOff: boolean
  /** Called when the exchange refused something for the key. */
  suspect: () => void
  /** Its position among others to be opened: clients that alerts wait for come first, in the order of their waiting. */
  rank: number
  /** Ends the wait before it is tried again. */
  wake: () => void
  dropped: boolean
}

/** The slots of all bots, and of each user. */
interface Slots {
  all: Map<BotId, Slot>
  ofUsers: Map<UserId, Map<BotId, Slot>>
}

/** An empty pool. */
export function createVenuePool(options: PoolOptions): VenuePool {
  const slots = new Map<BotId, Slot>()
  const served: Slots = { all: slots, ofUsers: new Map() }
  const ofAccounts: BotsOfAccounts = createSetsByKey()
  const parents = createParents(options)
  const timing = { ...usualKeyTiming, ...options.keyTiming }
  const keys: KeyCare = { timing, turns: createKeyTurns(timing) }
  let hurried = 0
  const warming = setInterval(() => void warmAll(options, parents), warmEveryMs)

  const openSlot = (served: ServedBot, isReplacing: boolean): Slot => {
    const slot: Slot = {
      identity: identityOf(served),
      served,
      stops: new Set(),
      client: undefined,
      unpublished: undefined,
      problem: undefined,
      isCutOff: false,
      suspect: () => undefined,
      rank: Number.MAX_SAFE_INTEGER,
      wake: () => undefined,
      dropped: false,
      opening: Promise.resolve(),
      tried: Promise.withResolvers(),
    }
    const mayOpen = isReplacing ? options.beforeReplacing?.(served.userId) : undefined
    slot.opening = openUntilItWorks(options, { parents, keys, ofAccounts }, slot, mayOpen)
    return slot
  }
  return {
    client: (botId) => slots.get(botId)?.client,
    botsAt: ofAccounts.of,
    whenOpen: async (botId, timeoutMs) => {
      const slot = slots.get(botId)
      if (slot === undefined || (slot.problem !== undefined && slot.client === undefined)) return undefined
      await within(slot.opening, timeoutMs)
      return slot.client
    },
    whenTried: async (botId, timeoutMs) => {
      const slot = slots.get(botId)
      if (slot !== undefined) await within(slot.tried.promise, timeoutMs)
    },
    hurry: (botId) => {
      const slot = slots.get(botId)
      if (slot === undefined) return
      hurried++
      slot.rank = Math.min(slot.rank, hurried)
    },
    serve: (bots) => {
      const ofUsers = Map.groupBy(bots, ({ userId }) => userId)
      for (const userId of new Set([...served.ofUsers.keys(), ...ofUsers.keys()]))
        serveUser(served, userId, ofUsers.get(userId) ?? [], openSlot, options)
    },
    serveUser: (userId, bots) => serveUser(served, userId, bots, openSlot, options),
    preload: async (timeoutMs) => await preload(options, parents, timeoutMs),
    problemOf: (botId) => slots.get(botId)?.problem,
    problemsOf: (userId) =>
      [...(served.ofUsers.get(userId) ?? [])].flatMap(([botId, { problem }]) =>
        problem === undefined ? [] : [{ botId, problem }],
      ),
    connectedOf: (userId) =>
      [...(served.ofUsers.get(userId)?.values() ?? [])].flatMap(({ served, client, problem, isCutOff }) =>
        client === undefined || problem !== undefined || isCutOff
          ? []
          : [{ label: served.bot.label, exchange: client.market }],
      ),
    counts: () => {
      const open = [...slots.values()].filter(({ client }) => client !== undefined).length
      return { open, opening: slots.size - open }
    },
    settled: async (timeoutMs) => {
      await within(Promise.all([...slots.values()].map((slot) => slot.opening)), timeoutMs)
    },
    close: async () => {
      clearInterval(warming)
      for (const slot of slots.values()) end(slot)
      await options.connections.close()
    },
  }
}

async function preload(
  options: PoolOptions,
  parents: Parents,
  timeoutMs: number,
): Promise<Venue | undefined> {
  const markets = ['paper_futures', 'paper_spot'] as const
  const opened = markets.flatMap((market) => {
    const place = placeOf(options, market, 'mainnet')
    return place === undefined ? [] : [parents.of(place)]
  })
  const first = Promise.any(opened).catch(() => undefined)
  await within(Promise.allSettled(opened), timeoutMs)
  await within(warmAll(options, parents), timeoutMs)
  const parent = await Promise.race([first, undefined])
  return parent === undefined ? undefined : rehearsalVenue(parent.venue)
}

/** Drops the user's slots of bots that are not served as they were, opens those that are missing, and reports pending changes. */
function serveUser(
  { all, ofUsers }: Slots,
  userId: UserId,
  bots: readonly ServedBot[],
  open: (served: ServedBot, isReplacing: boolean) => Slot,
  options: PoolOptions,
): void {
  const own = ofUsers.get(userId) ?? new Map<BotId, Slot>()
  const wanted = new Map(bots.map((served) => [served.bot.id, identityOf(served)]))
  const replaced = new Set<BotId>()
  for (const [botId, slot] of own) {
    if (wanted.get(botId) === slot.identity) continue
    end(slot)
    if (wanted.has(botId)) replaced.add(botId)
    if (slot.client !== undefined) options.onClient?.(slot.served, { state: 'removed' })
    own.delete(botId)
    all.delete(botId)
  }
  for (const slot of own.values())
    if (slot.unpublished !== undefined) publish(options, slot, slot.unpublished)
  for (const served of bots) {
    const { id } = served.bot
    const known = own.get(id)
    if (known !== undefined) {
      // Reports on it carry the present name that its owner gave it.
      known.served = served
      continue
    }
    const slot = open(served, replaced.has(id))
    own.set(id, slot)
    all.set(id, slot)
  }
  if (own.size === 0) ofUsers.delete(userId)
  else ofUsers.set(userId, own)
}

/** Reports a change of a client now, or once the bot is ours to report. */
function publish({ onClient }: PoolOptions, slot: Slot, change: ClientChange): void {
  const isPublished = onClient?.(slot.served, change) ?? true
  slot.unpublished = isPublished ? undefined : change
}

function identityOf({ bot: { exchange, marketType, isTestnet }, sealed }: ServedBot): string {
  return `${exchange} ${marketType} ${isTestnet} ${sealed}`
}

function end(slot: Slot): void {
  slot.dropped = true
  slot.wake()
  for (const stop of slot.stops) stop()
}

/** The venue, whose followers end with the slot. */
function followedWithin({ stops }: Slot, venue: Venue): Venue {
  const { follow } = venue
  if (follow === undefined) return venue
  return {
    ...venue,
    follow: (listener) => {
      const stop = follow(listener)
      stops.add(stop)
      return () => {
        stops.delete(stop)
        stop()
      }
    },
  }
}

/** A market that is served: how it is spoken to, and where. */
interface ServedMarket extends VenueMarket, VenueAddress {
  market: ExchangeMarket
  network: Network
}

function placeOf(
  { addresses }: PoolOptions,
  market: ExchangeMarket | undefined,
  network: Network,
): ServedMarket | undefined {
  const venueMarket = market && venueMarkets[market]
  return venueMarket && { ...venueMarket, market, network, ...addressOf(addresses, market, network) }
}

async function openUntilItWorks(
  options: PoolOptions,
  { parents, keys, ofAccounts }: { parents: Parents; keys: KeyCare; ofAccounts: BotsOfAccounts },
  slot: Slot,
  mayOpen: Promise<void> | undefined,
): Promise<void> {
  const { served } = slot
  const { exchange, marketType, isTestnet } = served.bot
  const market = exchangeMarketOf(exchange, marketType)
  const place = placeOf(options, market, isTestnet ? 'testnet' : 'mainnet')
  if (place === undefined) return slot.tried.resolve()
  await mayOpen
  const startedAt = performance.now()
  for (let failures = 0; !slot.dropped; failures++) {
    try {
      const { stop, tryKey, ...client } = await openClient(options, parents, slot, place)
      if (stop !== undefined) slot.stops.add(stop)
      if (slot.dropped) stop?.()
      slot.problem = undefined
      slot.client = { ...client, venue: followedWithin(slot, client.venue) }
      if (!slot.dropped) noteAccount(ofAccounts, slot, client)
      slot.tried.resolve()
      const tookMs = performance.now() - startedAt
      if (!slot.dropped)
        void publishReady(options, slot, tookMs, lookAfterKey(options, keys, slot, place, tryKey))
      return
    } catch (error) {
      const problem = error instanceof UselessCredentialsError ? error.message : undefined
      slot.problem = problem
      if (failures === 0)
        publish(options, slot, { state: 'unreachable', ...(problem !== undefined && { problem }) })
      slot.tried.resolve()
      options.log.warn({ err: error, botId: served.bot.id }, 'client not open yet')
      const longestMs = Math.min(longestRetryMs, retryMs * 2 ** failures)
      await pause(slot, problem === undefined ? longestMs : uselessRetryMs)
    }
  }
}

/** The bots with a client of each account. */
type BotsOfAccounts = SetsByKey<string, BotId>

/** Notes until the client ends that it is one of its account. */
function noteAccount(
  ofAccounts: BotsOfAccounts,
  { served, stops }: Slot,
  { accountKey }: Pick<BotClient, 'accountKey'>,
): void {
  const { id } = served.bot
  ofAccounts.add(accountKey, id)
  stops.add(() => ofAccounts.delete(accountKey, id))
}

/** When the keys of all bots are looked at. */
interface KeyCare {
  timing: KeyWatchTiming
  turns: KeyTurns
}

/** Reports that the bot is ready, unless its exchange said that it does not take the key. */
async function publishReady(
  options: PoolOptions,
  slot: Slot,
  tookMs: number,
  looked: Promise<void> | undefined,
): Promise<void> {
  await looked
  if (!slot.dropped && slot.problem === undefined) publish(options, slot, { state: 'warm', tookMs })
}

/** Watches what the exchange says of the bot's key; settles once it has said something, or did not for a moment. */
function lookAfterKey(
  options: PoolOptions,
  { timing, turns }: KeyCare,
  slot: Slot,
  { rest }: ServedMarket,
  ask: OpenedVenue['tryKey'],
): Promise<void> | undefined {
  const { judgeKey, connections } = options
  if (judgeKey === undefined) return undefined
  const { origin } = new URL(rest)
  const { first, suspect, stop } = watchKey({
    ask,
    judge: async () =>
      // A client that goes on asking while it is banned is banned for longer.
      isBannedAt(connections, origin) ? { outcome: 'unknown' } : await judgeKey(slot.served),
    onProblem: (problem) => {
      slot.problem = problem
      publish(options, slot, problem === undefined ? { state: 'warm' } : { state: 'unreachable', problem })
    },
    turns,
    timing,
  })
  slot.suspect = suspect
  slot.stops.add(stop)
  return first
}

/** Thrown where credentials can sign nothing, whatever the exchange says. */
class UselessCredentialsError extends Error {
  constructor(problem: string) {
    super(problem)
    this.name = 'UselessCredentialsError'
  }
}

/**
 * Waits for about this long, so that many do not try again together; for less only where the client is dropped. All who
 * wait for it wait as well: each alert to a venue that is away would else be a request to it.
 */
async function pause(slot: Slot, ms: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms * (0.75 + Math.random() / 4)).unref()
    slot.wake = () => {
      clearTimeout(timer)
      resolve()
    }
  })
  slot.wake = () => undefined
}

async function openClient(
  options: PoolOptions,
  parents: Parents,
  slot: Slot,
  place: ServedMarket,
): Promise<BotClient & Pick<OpenedVenue, 'stop' | 'tryKey'>> {
  const { served } = slot
  const { userId, bot, sealed } = served
  const { market, network, rest, stream, orders, prices, open } = place
  const context = credentialContext({
    userId,
    botId: bot.id,
    exchange: bot.exchange,
    isTestnet: bot.isTestnet,
  })
  const credentials = unsealed(options, sealed, context)
  const problem = credentialProblem(credentials, takesPrivateKeys(bot.exchange))
  if (problem !== undefined) throw new UselessCredentialsError(problem.message)
  const accountKey = createHash('sha256').update(`${rest}|${credentials.apiKey}`).digest('base64url')
  const { client: parent } = await parents.of(place)
  await parents.nextTurn(() => slot.rank)
  const { venue, stop, tryKey } = await open({
    baseUrl: rest,
    streamUrl: stream,
    ordersUrl: options.orderSockets ? orders : undefined,
    pricesUrl: prices,
    network,
    credentials,
    userId,
    connections: options.connections,
    parent,
    tenure: () => options.tenureOf(userId),
    log: options.log.child({ botId: bot.id }),
    onStream: (state) => {
      slot.isCutOff = state === 'reconnecting'
      publish(options, slot, { state })
    },
    onKeyRefused: () => slot.suspect(),
  })
  return { venue, accountKey, market, absence: absenceRules[market], tryKey, ...(stop && { stop }) }
}

function unsealed({ openingKeys }: PoolOptions, sealed: string, context: string): Credentials {
  try {
    return Credentials.parse(JSON.parse(unseal(openingKeys, sealed, context)))
  } catch {
    throw new UselessCredentialsError('Its credentials cannot be opened any more: link the key again')
  }
}

/** The clients without an account, whose markets all clients of a market share: each is opened once. */
interface Parents {
  of: (place: ServedMarket) => Promise<OpenedVenue>
  /** The places with a client, or one on its way. */
  places: () => readonly ServedMarket[]
  /** Settles when it is one's turn to open a client beside one of them. */
  nextTurn: EventLoopYield
}

function createParents({ connections, log }: PoolOptions): Parents {
  const parents = new Map<string, { place: ServedMarket; opening: Promise<OpenedVenue> }>()
  return {
    of: async (place) => {
      const { market, network, rest, stream, open } = place
      const name = `${market} ${network} ${rest}`
      const known = parents.get(name)
      if (known !== undefined) return await known.opening
      const nobody: VenueOptions = {
        baseUrl: rest,
        streamUrl: stream,
        network,
        credentials: { apiKey: 'nobody', secret: 'nobody' },
        connections,
        parent: undefined,
        tenure: () => undefined,
        log,
      }
      const opening = open(nobody)
      parents.set(name, { place, opening })
      opening.catch(() => parents.delete(name))
      return await opening
    },
    places: () => [...parents.values()].map(({ place }) => place),
    nextTurn: createEventLoopYield(opensPerTurn),
  }
}

/** Venues hang up on silent connections, and a new one costs several round trips. */
async function warmAll({ connections, log }: PoolOptions, parents: Parents): Promise<void> {
  // Markets at one host share its connections: one ping per host, by the first of its markets.
  const hosts = new Map(
    parents.places().map(({ rest, pingPath }) => {
      const url = new URL(rest + pingPath)
      return [url.origin, url] as const
    }),
  )
  // A client that goes on asking while it is banned is banned for longer.
  const open = [...hosts.values()].filter(({ origin }) => !isBannedAt(connections, origin))
  const pings = open.flatMap((url) =>
    Array.from({ length: warmConnections }, async () => {
      const { origin, pathname } = url
      const { body } = await connections.dispatcher.request({ origin, path: pathname, method: 'GET' })
      await body.dump()
    }),
  )
  const results = await Promise.allSettled(pings)
  const failure = results.find((result) => result.status === 'rejected')
  if (failure !== undefined) log.warn({ err: failure.reason }, 'venue connections are not warm')
}

async function within(promise: Promise<unknown>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const overdue = new Promise((resolve) => {
    timer = setTimeout(resolve, timeoutMs).unref()
  })
  await Promise.race([promise, overdue])
  clearTimeout(timer)
}
