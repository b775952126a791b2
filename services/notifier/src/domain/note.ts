import type { ExecutionEvent } from '@tripline/proto/event'
import type { UserId } from '@tripline/proto/id'
import type { BotSwitches, NotificationConfig } from '@tripline/proto/notification'
import { escapeText } from './escape.ts'

/** One line to tell a user; the same happening has the same id. */
export interface Note {
  id: string
  userId: UserId
  html: string
}

type NoteKind = 'trade' | 'error' | 'fill'
type Settings = Pick<NotificationConfig, 'isEnabled' | 'sealedToken' | 'chatId' | 'bots'>

const longestText = 300
const switchOf = { trade: 'onTrade', error: 'onError', fill: 'onFill' } as const
const signs = { trade: '✅', error: '⚠️', fill: '💠' }
/** Commands that place orders; the others change nothing that a trader would call a trade. */
const tradeTypes = new Set(['market', 'limit', 'stopOrder', 'stopOrTakeProfit', 'oneCancelsOther'])

/** What a user wants to be told of an event, if anything; a user who has not set everything up wants nothing. */
export function noteOf(event: ExecutionEvent, settings: Settings | undefined): Note | undefined {
  if (settings?.isEnabled !== true || settings.sealedToken === null || settings.chatId === null)
    return undefined
  const told = tell(event)
  if (told === undefined) return undefined
  const bot = event.botId === null ? undefined : settings.bots.find(({ id }) => id === event.botId)
  const isWanted = event.botId === null || bot?.[switchOf[told.kind]] === true
  return isWanted
    ? { id: idOf(event, told.kind), userId: event.userId, html: line(event, bot, told) }
    : undefined
}

/** An alert that names no bot of the user is told of once a minute. */
function idOf(event: ExecutionEvent, kind: NoteKind): string {
  if (event.botId !== null) return `${event.eventId}.${kind}`
  return `${event.userId}.refused.${event.at - (event.at % 60_000)}`
}

interface Told {
  kind: NoteKind
  text: string
}

function tell(event: ExecutionEvent): Told | undefined {
  switch (event.kind) {
    case 'order.acknowledged': {
      if (!/[1-9]/.test(event.filled)) return undefined
      const price = event.averagePrice === null ? '' : ` at ${event.averagePrice}`
      return { kind: 'fill', text: `${event.side} filled ${event.filled} of ${event.quantity}${price}` }
    }
    case 'command.finished':
      return tellCommand(event)
    case 'command.unknown':
      return { kind: 'error', text: `${event.type}: outcome unknown, asking the exchange` }
    case 'command.alarm':
      return { kind: 'error', text: `${event.type}: ${event.text}` }
    case 'alert.refused':
      return { kind: 'error', text: `alert refused: ${coded(event.errorCode, event.error)}` }
    default:
      return undefined
  }
}

function tellCommand({
  type,
  outcome,
}: Extract<ExecutionEvent, { kind: 'command.finished' }>): Told | undefined {
  if (outcome.status === 'failed') {
    return { kind: 'error', text: `${type} failed: ${coded(outcome.errorCode, outcome.error)}` }
  }
  const { status, result } = outcome
  if (status !== 'success' || !tradeTypes.has(type) || (result !== null && 'code' in result)) return undefined
  if (result === null || !('client_order_id' in result)) return { kind: 'trade', text: `${type} done` }
  const price = result.price === null ? '' : ` at ${result.price}`
  return { kind: 'trade', text: `${type} ${result.side} ${result.amount}${price}` }
}

/** The error with its code before it, once. */
function coded(code: string | null, error: string | null): string {
  const text = error ?? 'no reason given'
  return code === null || text.startsWith(`${code} `) ? text : `${code} ${text}`
}

function line(event: ExecutionEvent, bot: BotSwitches | undefined, { kind, text }: Told): string {
  const label = bot?.label ?? event.label
  const named = label === null ? '' : `<b>${escapeText(label, 50)}</b> `
  const symbol = event.symbol === null ? '' : `${escapeText(event.symbol, 30)} `
  return `${signs[kind]} ${timeOfDay(event.at)} ${named}${symbol}${escapeText(text, longestText)}`
}

/** The time of day in UTC, `hh:mm:ss`. */
function timeOfDay(atMs: number): string {
  const seconds = ((atMs - (atMs % 1000)) / 1000) % 86_400
  const parts = [(seconds - (seconds % 3600)) / 3600, ((seconds % 3600) - (seconds % 60)) / 60, seconds % 60]
  return parts.map((part) => `${part}`.padStart(2, '0')).join(':')
}
