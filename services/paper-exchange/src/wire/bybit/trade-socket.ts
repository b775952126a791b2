import type { Entry } from '../../store/ledger.ts'
import { type Peer, type SocketWire, socketReply } from '../socket.ts'
import { authenticateSocket, checkTime } from './auth.ts'
import { ROUTES } from './catalogue.ts'
import { BybitError } from './errors.ts'
import { asFields, type Fields } from './fields.ts'
import { connectionId, type Frame, readFrame } from './frame.ts'
import { limitHeaders, type Outcome } from './outcome.ts'
import { type Call, type CallContext, perform } from './perform.ts'
import { createRecent, type Recent } from './recent.ts'

type Trader = {
  readonly peer: Peer
  readonly connection: string
  readonly remoteAddress: string
  readonly usedIds: Recent
  entry: Entry | undefined
}

// A connection may last for weeks; a request that is sent again is sent soon.
const MOST_IDS = 10_000

const PATHS: Readonly<Record<string, string>> = {
  'order.create': '/v5/order/create',
  'order.amend': '/v5/order/amend',
  'order.cancel': '/v5/order/cancel',
  'order.create-batch': '/v5/order/create-batch',
  'order.amend-batch': '/v5/order/amend-batch',
  'order.cancel-batch': '/v5/order/cancel-batch',
}

/** Order entry over a socket: the same routes as over HTTP, for who has said once who it is. */
export function createTradeSocket(context: CallContext): SocketWire {
  return ({ remoteAddress }, peer) => {
    const connection = connectionId()
    const trader: Trader = {
      peer,
      connection,
      remoteAddress,
      usedIds: createRecent(MOST_IDS),
      entry: undefined,
    }
    return {
      onText: (text, receivedNs) => {
        const frame = readFrame(text)
        const nothing = { op: '', id: undefined }
        const said = frame ? answer(context, trader, frame) : plain(trader, nothing, 10001, 'Params Error')
        if (said !== undefined) peer.send(said)
        else if (frame) trade(context, trader, frame, receivedNs)
      },
      onClose: () => {},
    }
  }
}

// Returns the immediate answer; undefined if the request goes on to its route.
function answer(context: CallContext, trader: Trader, frame: Frame): string | undefined {
  if (frame.op === 'ping') return pong(trader, frame, context.clock.nowMs())
  if (frame.op === 'auth') return enter(context, trader, frame)
  if (!Object.hasOwn(PATHS, frame.op)) return plain(trader, frame, 10404, 'op type is not found')
  const { category } = asFields(frame.args[0]) ?? {}
  if (category === 'inverse' || category === 'option') {
    return plain(trader, frame, 10404, 'category is not correct/supported')
  }
  if (frame.id === undefined) return undefined
  return trader.usedIds.add(frame.id) ? undefined : plain(trader, frame, 20006, 'Duplicate reqId')
}

function pong({ connection }: Trader, { id }: Frame, now: number): string {
  const words = { retCode: 0, retMsg: 'OK', op: 'pong', data: [String(now)], connId: connection }
  return JSON.stringify(id === undefined ? words : { ...words, req_id: id })
}

function enter(context: CallContext, trader: Trader, frame: Frame): string {
  if (trader.entry) return plain(trader, frame, 20001, 'Repeat auth')
  try {
    trader.entry = authenticateSocket(context.exchange.ledger, frame.args, context.clock.nowMs())
    context.feed.join(trader.peer, trader.entry.apiKey)
    return plain(trader, frame, 0, 'OK')
  } catch (error) {
    if (error instanceof BybitError) return plain(trader, frame, error.code, error.message)
    throw error
  }
}

function plain({ connection }: Trader, { op, id }: Pick<Frame, 'op' | 'id'>, code: number, message: string) {
  const name = id === undefined ? {} : { reqId: id }
  return JSON.stringify({ ...name, retCode: code, retMsg: message, op, connId: connection })
}

function trade(context: CallContext, trader: Trader, frame: Frame, receivedNs: bigint): void {
  const path = PATHS[frame.op] ?? ''
  const route = ROUTES.get(`POST ${path}`)
  if (!route) return
  const header = asFields(frame.fields['header']) ?? {}
  const call: Call = {
    transport: 'ws',
    method: 'POST',
    path,
    apiKey: trader.entry?.apiKey,
    fields: frame.args.length === 1 ? asFields(frame.args[0]) : undefined,
    route,
    remoteAddress: trader.remoteAddress,
    receivedNs,
    identify: (now) => identify(trader, header, now),
    answer: (outcome) => ({ status: 200, body: frameOf(trader, frame, outcome) }),
  }
  perform(
    context,
    call,
    socketReply(trader.peer, ({ body }) => body),
  )
}

function identify({ entry }: Trader, header: Fields, now: number): Entry {
  if (!entry) throw new BybitError(10003, 'Request not authorized')
  const text = (name: string): string => {
    const value = header[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }
  checkTime(text('X-BAPI-TIMESTAMP'), text('X-BAPI-RECV-WINDOW'), now)
  return entry
}

function frameOf({ connection }: Trader, { op, id }: Frame, outcome: Outcome): string {
  const { code, message, result, extra, time, allowance } = outcome
  const header = { ...limitHeaders(allowance), Traceid: connectionId(), Timenow: String(time) }
  return JSON.stringify({
    ...(id !== undefined && { reqId: id }),
    retCode: code,
    retMsg: message,
    op,
    data: result,
    retExtInfo: extra,
    header,
    connId: connection,
  })
}
