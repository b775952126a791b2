import { setTimeout as sleep } from 'node:timers/promises'
import { type Market, type MarketId, marketOf } from '../../domain/market.ts'
import { isOpen, type Order } from '../../domain/order.ts'
import type { VenueEvent } from '../../exchange.ts'
import { type Entry, openOrdersOf } from '../../store/ledger.ts'
import type { Peer, SocketSession, SocketWire } from '../socket.ts'
import { authenticateSocket } from './auth.ts'
import { type Category, categoryOfId } from './category.ts'
import { BybitError } from './errors.ts'
import { forgetHoldings } from './fill-book.ts'
import { formatFill } from './format-fill.ts'
import { formatFunding } from './format-funding.ts'
import { moneyText } from './format-order.ts'
import { formatPosition, positionSides } from './format-position.ts'
import { formatWallet, marginOf } from './format-wallet.ts'
import { connectionId, eventId, type Frame, namesIn, readFrame } from './frame.ts'
import type { CallContext } from './perform.ts'
import { orderMessage } from './stream-order.ts'
import { type PrivateTopic, topicsFor, wrongTopics } from './topics.ts'

type Listener = {
  readonly peer: Peer
  readonly connection: string
  readonly topics: Set<string>
  entry: Entry | undefined
}

type Listeners = Map<Entry, Set<Listener>>

/** The stream of an account's orders, executions, positions and wallet. */
export function createPrivateStream(context: CallContext): SocketWire {
  const listeners: Listeners = new Map()
  context.exchange.subscribe((event) => {
    if (event.kind === 'order' || event.kind === 'account' || event.kind === 'funding')
      pushEvent(context, listeners.get(event.entry), event)
  })
  return (_request, peer) => {
    const listener: Listener = { peer, connection: connectionId(), topics: new Set(), entry: undefined }
    return sessionOf(context, listeners, listener)
  }
}

function sessionOf(context: CallContext, listeners: Listeners, listener: Listener): SocketSession {
  return {
    onText: (said) => {
      const frame = readFrame(said)
      const nothing = { op: '', id: undefined }
      const text = frame
        ? answer(context, listeners, listener, frame)
        : reply(listener, nothing, 'Params Error')
      listener.peer.send(text)
    },
    onClose: () => leave(context, listeners, listener),
  }
}

function answer(context: CallContext, listeners: Listeners, listener: Listener, frame: Frame): string {
  switch (frame.op) {
    case 'ping':
      return pong(listener, frame, context.clock.nowMs())
    case 'auth':
      return reply(listener, frame, enter(context, listeners, listener, frame))
    case 'subscribe':
      return reply(listener, frame, subscribe(listener, namesIn(frame)))
    case 'unsubscribe':
      for (const topic of namesIn(frame)) listener.topics.delete(topic)
      return reply(listener, frame, undefined)
    default:
      return reply(listener, frame, `error:unknown op ${frame.op}`)
  }
}

function pong({ connection }: Listener, { id }: Frame, now: number): string {
  return JSON.stringify({ req_id: id ?? '', op: 'pong', args: [String(now)], conn_id: connection })
}

function reply({ connection }: Listener, { op, id }: Pick<Frame, 'op' | 'id'>, wrong: string | undefined) {
  const name = id === undefined ? {} : { req_id: id }
  return JSON.stringify({
    success: wrong === undefined,
    ret_msg: wrong ?? '',
    op,
    conn_id: connection,
    ...name,
  })
}

// Lets the account in, or returns the fault of its frame.
function enter(
  context: CallContext,
  listeners: Listeners,
  listener: Listener,
  { args }: Frame,
): string | undefined {
  try {
    const entry = authenticateSocket(context.exchange.ledger, args, context.clock.nowMs())
    if (listener.entry && listener.entry !== entry) leave(context, listeners, listener)
    listener.entry = entry
    const known = listeners.get(entry) ?? new Set()
    listeners.set(entry, known.add(listener))
    context.feed.join(listener.peer, entry.apiKey)
    return undefined
  } catch (error) {
    if (error instanceof BybitError) return error.message
    throw error
  }
}

function subscribe({ entry, topics }: Listener, names: readonly string[]): string | undefined {
  if (!entry) return 'Request not authorized'
  const wrong = wrongTopics(names)
  if (wrong !== undefined) return wrong
  for (const name of names) topics.add(name)
  return undefined
}

function leave(context: CallContext, listeners: Listeners, listener: Listener): void {
  const { entry } = listener
  if (!entry) return
  const left = listeners.get(entry)
  left?.delete(listener)
  if (left && left.size > 0) return
  listeners.delete(entry)
  const windowS = context.guards.windowOf(entry)
  if (windowS !== undefined) guard(context, listeners, entry, windowS)
}

// Cancels what the account has open once it has been silent for as long as it asked for.
function guard(
  { exchange, clock, stopping }: CallContext,
  listeners: Listeners,
  entry: Entry,
  windowS: number,
): void {
  const cancelAll = (): void => {
    if (listeners.has(entry)) return
    for (const order of openOrdersOf(entry)) {
      const current = entry.orders.get(order.id)
      if (current && isOpen(current) && categoryOfId(order.market))
        exchange.cancel(entry, current, clock.nowMs())
    }
  }
  // A wait that the exchange's stop ends has nothing to follow.
  sleep(windowS * 1_000, undefined, { signal: stopping, ref: false }).then(cancelAll, () => {})
}

type PrivateEvent = Extract<VenueEvent, { kind: 'order' | 'account' | 'funding' }>

function pushEvent(
  context: CallContext,
  listening: ReadonlySet<Listener> | undefined,
  event: PrivateEvent,
): void {
  if (event.kind === 'account' && event.reason === 'reset') forgetHoldings(event.entry)
  if (!listening) return
  if (event.kind === 'order') pushOrder(context, listening, event)
  else if (event.kind === 'funding') pushFunding(context, listening, event)
  else pushAccount(context, listening, event)
}

type Message = Readonly<{
  entry: Entry
  kind: PrivateTopic
  category: Category | undefined
  symbol: string | undefined
  rows: () => readonly unknown[]
  at: number
}>

// Nothing is formatted that nobody listens to.
function send({ feed }: CallContext, listening: ReadonlySet<Listener>, message: Message): void {
  const { entry, kind, category, symbol, at } = message
  let data: readonly unknown[] | undefined
  for (const { peer, topics } of listening) {
    for (const topic of topicsFor(topics, kind, category)) {
      data ??= message.rows()
      const text = JSON.stringify({ id: eventId(), topic, creationTime: at, data })
      feed.send(peer, entry.apiKey, symbol, text)
    }
  }
}

function pushOrder(
  context: CallContext,
  listening: ReadonlySet<Listener>,
  event: Extract<PrivateEvent, { kind: 'order' }>,
): void {
  const { entry, order, fill, at } = event
  const category = categoryOfId(order.market)
  if (!category) return
  const { symbol } = marketOf(order.market)
  const base = { entry, category, symbol, at }
  if (fill) {
    const quote = context.exchange.quotes.of(order.market)
    const row = () => ({ category, ...formatFill(entry, fill, order, quote) })
    send(context, listening, { ...base, kind: 'execution', rows: () => [executionRow(row(), fill.realized)] })
    send(context, listening, { ...base, kind: 'execution.fast', rows: () => [fastRow(row())] })
  }
  for (const version of versionsOf(order)) {
    send(context, listening, { ...base, kind: 'order', rows: () => [orderMessage(entry, version, category)] })
  }
  // The venue reports a position with every order, whether it changed or not.
  if (!fill && category === 'linear') pushPosition(context, listening, entry, order.market, at)
}

function pushFunding(
  context: CallContext,
  listening: ReadonlySet<Listener>,
  { entry, funding, at }: Extract<PrivateEvent, { kind: 'funding' }>,
): void {
  if (categoryOfId(funding.market) === undefined) return
  const { symbol } = marketOf(funding.market)
  const category = 'linear' as const
  const rows = () => [{ ...executionRow({ category, ...formatFunding(funding) }, 0n), execPnl: '' }]
  send(context, listening, { entry, category, symbol, at, kind: 'execution', rows })
}

function pushPosition(
  context: CallContext,
  listening: ReadonlySet<Listener>,
  entry: Entry,
  id: MarketId,
  at: number,
): void {
  const market = marketOf(id)
  const base = { entry, kind: 'position', category: 'linear', symbol: market.symbol, at } as const
  send(context, listening, { ...base, rows: () => positionRows(context, entry, market) })
}

// A conditional order is reported as triggered before it is reported in the book.
function versionsOf(order: Order): readonly Order[] {
  const triggered = order.before?.status === 'untriggered' && order.isTriggered === true
  return triggered && order.status === 'open' ? [{ ...order, status: 'triggered' }, order] : [order]
}

type Execution = (ReturnType<typeof formatFill> | ReturnType<typeof formatFunding>) &
  Readonly<{ category: Category }>

function executionRow(row: Execution, realized: bigint) {
  return {
    ...row,
    isLeverage: row.category === 'spot' ? '0' : '',
    execPnl: moneyText(realized),
    marketUnit: '',
  }
}

function fastRow({
  category,
  symbol,
  execId,
  execPrice,
  execQty,
  orderId,
  isMaker,
  orderLinkId,
  side,
  execTime,
  seq,
}: Execution) {
  return { category, symbol, execId, execPrice, execQty, orderId, isMaker, orderLinkId, side, execTime, seq }
}

function pushAccount(
  context: CallContext,
  listening: ReadonlySet<Listener>,
  { entry, assets, markets, at }: Extract<PrivateEvent, { kind: 'account' }>,
): void {
  const linear = markets.filter((id) => categoryOfId(id) === 'linear')
  for (const id of linear) pushPosition(context, listening, entry, id, at)
  if (assets.length === 0) return
  const rows = () => [formatWallet(context.exchange, entry, entry.account, assets)]
  send(context, listening, { entry, kind: 'wallet', category: undefined, symbol: undefined, at, rows })
}

function positionRows({ exchange }: CallContext, entry: Entry, market: Market) {
  const { account } = entry
  const view = { entry, account, margin: marginOf(exchange, entry), quote: exchange.quotes.of(market.id) }
  return positionSides(account, market).map((side) => {
    const { avgPrice, ...row } = formatPosition(view, market, side)
    return { ...row, category: 'linear', entryPrice: avgPrice }
  })
}
