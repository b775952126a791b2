import type { Execution } from '@tripline/proto/history-request'
import type { Member } from '../people/crowd.ts'

/** One sending of a message: its answer's status, 0 without an answer, and the id of its alert. */
export interface Attempt {
  status: number
  alertId: string | undefined
  /** The moment of an answer that says how the alert ended. */
  doneAt: number | undefined
}

/** A message that somebody sent, once or again. */
export interface Message {
  member: Pick<Member, 'apiKeys' | 'webhookUrl'>
  text: string
  /** The market order it asks for; undefined of an exit. */
  order: { side: 'buy' | 'sell'; quantity: string } | undefined
  sentAt: number
  attempts: Attempt[]
}

/** An order that the exchange accepted. */
export interface Order {
  clientOrderId: string
  apiKey: string
  side: string
  quantity: number
  /** It came after the blow. */
  isLate: boolean
}

/** A row of the history, with the key of its bot's account. */
export type Row = Pick<Execution, 'alertId' | 'status' | 'errorCode' | 'commands'> & { apiKey: string }

/** The facts of a round, once everything has come to its end or had the time to. */
export interface Round {
  /** The moment of the blow. */
  struckAt: number
  messages: readonly Message[]
  orders: readonly Order[]
  rows: readonly Row[]
  /** By the key of an account, its change since the round began. */
  positions: ReadonlyMap<string, number>
}

/** The violations of a round, one sentence each, by their kind. */
export interface Judgement {
  doubled: string[]
  lostSilently: string[]
  /** An order at a later time than its alert's end, which nothing asked for any more. */
  late: string[]
  /** A row and the exchange do not say the same. */
  untrue: string[]
}

/** The end of a command of which it is not known whether its order was placed. */
const unknown = 'E602'
/** The row of an attempt that was answered 503: a later one of the same alert has a row of its own. */
const notStored = 'not_durable'

/** Judges a round from outside: answers, orders and history. */
export function judge(round: Round): Judgement {
  const { messages, orders, rows } = round
  const rowsOf = Map.groupBy(rows, ({ alertId }) => alertId)
  const byMessage = new Map(messages.map((message) => [message, ordersOf(message, orders, messages)]))
  const known = new Set([...byMessage.values()].flat())
  return {
    doubled: messages.flatMap((message) => doubledOf(message, byMessage.get(message) ?? [])),
    lostSilently: messages.flatMap((message) => lostOf(message, rowsOf)),
    late: messages.flatMap((message) => lateOf(round, message, byMessage.get(message) ?? [])),
    untrue: [
      ...orders
        .filter((order) => !known.has(order))
        .map(({ clientOrderId }) => `nobody asked for ${clientOrderId}`),
      ...messages.flatMap((message) => untrueOf(message, byMessage.get(message) ?? [], rowsOf)),
      ...positionsOf(round),
    ],
  }
}

/** The ids of the alerts of a message that were accepted. */
export function acceptedIds({ attempts }: Message): string[] {
  const ids = attempts.flatMap(({ status, alertId }) =>
    status >= 200 && status < 300 && alertId !== undefined ? [alertId] : [],
  )
  return [...new Set(ids)]
}

/** Orders of a message: by the ids of its alerts, and without an answer by account, side and size. */
function ordersOf(message: Message, orders: readonly Order[], messages: readonly Message[]): Order[] {
  const ids = idsOf(message)
  const others = new Set(messages.filter((other) => other !== message).flatMap((other) => [...idsOf(other)]))
  return orders.filter((order) => {
    const alertId = alertIdOf(order)
    return ids.has(alertId) || (!others.has(alertId) && isLike(message, order))
  })
}

function idsOf({ attempts }: Message): Set<string> {
  return new Set(attempts.flatMap(({ alertId }) => alertId ?? []))
}

function alertIdOf({ clientOrderId }: Order): string {
  return clientOrderId.slice(1, 27)
}

function isLike({ member, order, attempts }: Message, { apiKey, side, quantity }: Order): boolean {
  if (!member.apiKeys.includes(apiKey) || !attempts.some(({ alertId }) => alertId === undefined)) return false
  return order === undefined || (order.side === side.toLowerCase() && Number(order.quantity) === quantity)
}

function doubledOf({ text }: Message, orders: readonly Order[]): string[] {
  return orders.length > 1 ? [`${orders.length} orders of ${inLine(text)}: ${idsIn(orders)}`] : []
}

function lostOf(message: Message, rowsOf: ReadonlyMap<string, readonly Row[]>): string[] {
  return acceptedIds(message).flatMap((id) => {
    const rows = rowsOf.get(id) ?? []
    if (rows.some(({ status }) => status !== 'running')) return []
    return [`${id} ${rows.length === 0 ? 'has no row' : 'has no end'}: ${inLine(message.text)}`]
  })
}

function lateOf({ struckAt }: Round, { text, attempts }: Message, orders: readonly Order[]): string[] {
  const hadEnded = attempts.some(({ doneAt }) => doneAt !== undefined && doneAt < struckAt)
  const late = hadEnded ? orders.filter(({ isLate }) => isLate) : []
  return late.length > 0 ? [`had ended, and placed again: ${inLine(text)}: ${idsIn(late)}`] : []
}

function untrueOf(
  message: Message,
  orders: readonly Order[],
  rowsOf: ReadonlyMap<string, readonly Row[]>,
): string[] {
  return acceptedIds(message).flatMap((id) => {
    const ended = (rowsOf.get(id) ?? []).filter(
      ({ status, errorCode }) => status !== 'running' && errorCode !== notStored,
    )
    const placed = orders.filter((order) => alertIdOf(order) === id).length
    const wrong = ended.flatMap((row) => contradiction(row, message, placed))
    return [...wrong, ...(ended.length > 1 ? ['ended twice'] : [])].map(
      (fault) => `${id} ${fault}: ${inLine(message.text)}`,
    )
  })
}

/** The code of a row, or of its first command that has one. */
export function codeOf({ errorCode, commands }: Row): string | undefined {
  return errorCode ?? commands.find((command) => command.errorCode !== null)?.errorCode ?? undefined
}

function contradiction(row: Row, { order }: Message, placed: number): string[] {
  const { status } = row
  if (status === 'success' && order !== undefined && placed === 0) return ['is a success without an order']
  if (status !== 'failed' || placed === 0 || codeOf(row) === unknown) return []
  return [`failed with ${codeOf(row)}, and its order was placed`]
}

/** Accounts whose position is not what their rows add up to; a row that leaves it open excuses its account. */
function positionsOf({ rows, positions }: Round): string[] {
  return [...positions].flatMap(([apiKey, position]) => {
    const own = rows.filter((row) => row.apiKey === apiKey)
    if (own.some((row) => codeOf(row) === unknown)) return []
    const shown = own.reduce((sum, row) => sum + filledBy(row), 0)
    return Math.abs(shown - position) < 1e-9 ? [] : [`${apiKey} changed by ${position}, history by ${shown}`]
  })
}

function filledBy({ commands }: Row): number {
  return commands.reduce((sum, { result }) => {
    const filled = Number(result?.['filled'] ?? 0)
    return sum + (result?.['side'] === 'sell' ? -filled : filled)
  }, 0)
}

function idsIn(orders: readonly Order[]): string {
  return orders.map(({ clientOrderId }) => clientOrderId).join(', ')
}

function inLine(text: string): string {
  return text.replaceAll('\n', ' ')
}
