import type { CommandResult } from '@tripline/proto/command-result'
import type { ExecutionEvent, StoredEvent } from '@tripline/proto/event'
import type { UserId } from '@tripline/proto/id'
import type { BotSwitches, NotificationConfig } from '@tripline/proto/notification'
import { type Remark, remarksIn } from '@tripline/proto/remark'
import { escapeText } from './escape.ts'

/** One line for a user; the same happening has the same id. */
export interface Note {
  id: string
  userId: UserId
  html: string
  /** Whether it waits for no others, since a person should look at once. */
  isUrgent: boolean
}

type NoteKind = 'trade' | 'error' | 'fill'
type Settings = Pick<NotificationConfig, 'isEnabled' | 'sealedToken' | 'chatId' | 'bots'>

const longestText = 300
// Remarks of a command stand besides, so that neither crowds out the other.
const mostRemarks = 3
const longestRemark = 100
const switchOf = { trade: 'onTrade', error: 'onError', fill: 'onFill' } as const
const signs = { trade: '✅', error: '⚠️', fill: '💠' }
const urgentSign = '🚨'
/** Commands that place orders; the others change nothing that a trader would call a trade, and are noted for their remarks. */
const tradeTypes = new Set(['market', 'limit', 'stopOrder', 'stopOrTakeProfit', 'oneCancelsOther'])

/** True where a user has set up where messages go, and has them on. */
export function isOn<Given extends Pick<Settings, 'isEnabled' | 'sealedToken' | 'chatId'>>(
  settings: Given | undefined,
): settings is Given & { sealedToken: string; chatId: string } {
  return settings?.isEnabled === true && settings.sealedToken !== null && settings.chatId !== null
}

/** Returns the note of an event that a user wants, if any; a user who has not set everything up wants nothing. */
export function noteOf(event: StoredEvent, settings: Settings | undefined): Note | undefined {
  if (!isOn(settings)) return undefined
  const noteText = noteTextOf(event)
  if (noteText === undefined) return undefined
  const bot = event.botId === null ? undefined : settings.bots.find(({ id }) => id === event.botId)
  const isWanted = event.botId === null || bot?.[switchOf[noteText.kind]] === true
  return isWanted
    ? {
        id: idOf(event, noteText.kind),
        userId: event.userId,
        html: line(event, bot, noteText),
        isUrgent: noteText.isUrgent === true,
      }
    : undefined
}

/**
 * An alert that names no bot of the user makes a note once a minute, a bot that cannot trade and a quota once a day.
 */
function idOf(event: StoredEvent, kind: NoteKind): string {
  if (event.kind === 'client.changed') return `${event.botId}.client.${event.at - (event.at % 86_400_000)}`
  if (event.kind === 'alert.refused' && event.notice !== undefined) return event.eventId
  if (event.botId !== null) return `${event.eventId}.${kind}`
  return refusalsId(event.userId, event.at)
}

/** The id of the note of all alerts of a minute that name no bot of the user. */
export function refusalsId(userId: UserId, at: number): string {
  return `${userId}.refused.${at - (at % 60_000)}`
}

interface NoteText {
  kind: NoteKind
  text: string
  remarks?: readonly Remark[]
  isUrgent?: true
}

function noteTextOf(event: StoredEvent): NoteText | undefined {
  switch (event.kind) {
    case 'client.changed':
      if (event.problem === undefined) return undefined
      return { kind: 'error', text: `cannot trade: ${event.problem}`, isUrgent: true }
    case 'order.acknowledged':
    case 'order.filled':
      return fillText(event, 'filled')
    case 'order.canceled':
      // The command that placed the order has the note of fills that a cancel finds.
      return event.type === 'cancel' ? undefined : fillText(event, 'canceled, filled')
    case 'command.finished':
      return commandText(event)
    case 'command.amended':
      return amendedText(event)
    case 'command.alarm':
      return {
        kind: 'error',
        text: `${event.type}: ${coded(event.code ?? null, event.text)}`,
        isUrgent: true,
      }
    case 'group.changed':
      return { kind: 'trade', text: `${event.type}: ${event.text}` }
    case 'command.unknown':
      return { kind: 'error', text: `${event.type}: outcome unknown, asking the exchange` }
    case 'alert.refused':
      if (event.notice !== undefined) return { kind: 'error', text: event.error }
      // It was accepted, so that its sender counts on it.
      if (event.errorCode === 'E606')
        return { kind: 'error', text: `alert lost: ${coded(event.errorCode, event.error)}`, isUrgent: true }
      return { kind: 'error', text: `alert refused: ${coded(event.errorCode, event.error)}` }
    default:
      return undefined
  }
}

/** Fills come when an order is placed as well as long after its alert was answered. */
function fillText(
  event: Extract<ExecutionEvent, { kind: 'order.acknowledged' | 'order.filled' | 'order.canceled' }>,
  subject: string,
): NoteText | undefined {
  const { side, filled, quantity, averagePrice } = event
  if (!/[1-9]/.test(filled)) return undefined
  const price = averagePrice === null ? '' : ` at ${averagePrice}`
  return { kind: 'fill', text: `${side} ${subject} ${filled} of ${quantity}${price}` }
}

/** An earlier note was wrong: a person has to know, whatever the truth is. */
function amendedText({ type, outcome }: Extract<ExecutionEvent, { kind: 'command.amended' }>): NoteText {
  const { status, result, errorCode, error } = outcome
  const truth =
    status === 'success' ? doneText(type, result) : `${type} ${status}: ${coded(errorCode, error)}`
  return { kind: 'error', text: `updated later: ${truth}`, remarks: remarksIn(result), isUrgent: true }
}

function commandText({
  type,
  outcome,
}: Extract<ExecutionEvent, { kind: 'command.finished' }>): NoteText | undefined {
  const { status, result } = outcome
  const remarks = remarksIn(result)
  if (status === 'failed') {
    return { kind: 'error', text: `${type} failed: ${coded(outcome.errorCode, outcome.error)}`, remarks }
  }
  if (status !== 'success' || (!tradeTypes.has(type) && remarks.length === 0)) return undefined
  return { kind: 'trade', text: doneText(type, result), remarks }
}

function doneText(type: string, result: CommandResult['result']): string {
  if (result !== null && 'code' in result) return `${type} did nothing`
  if (result === null || !('client_order_id' in result)) return `${type} done`
  const price = result.price === null ? '' : ` at ${result.price}`
  return `${type} ${result.side} ${result.amount}${price}`
}

/** The first remarks, and how many more there are. */
function remarkText(remarks: readonly Remark[]): string {
  const listed = remarks
    .slice(0, mostRemarks)
    .map(({ code, text }) => ` · ${code} ${escapeText(text, longestRemark)}`)
  const more = remarks.length - listed.length
  return `${listed.join('')}${more > 0 ? ` · and ${more} more` : ''}`
}

/** The error with its code before it, once. */
function coded(code: string | null, error: string | null): string {
  const text = error ?? 'no reason given'
  return code === null || text.startsWith(`${code} `) ? text : `${code} ${text}`
}

function line(
  event: StoredEvent,
  bot: BotSwitches | undefined,
  { kind, text, remarks = [], isUrgent }: NoteText,
): string {
  const label = bot?.label ?? event.label
  const named = label === null ? '' : `<b>${escapeText(label, 50)}</b> `
  const market = event.kind === 'client.changed' ? null : event.symbol
  const symbol = market === null ? '' : `${escapeText(market, 30)} `
  const sign = isUrgent === true ? urgentSign : signs[kind]
  return `${sign} ${timeOfDay(event.at)} UTC ${named}${symbol}${escapeText(text, longestText)}${remarkText(remarks)}`
}

/** The time of day in UTC, `hh:mm:ss`. */
function timeOfDay(atMs: number): string {
  const seconds = ((atMs - (atMs % 1000)) / 1000) % 86_400
  const parts = [(seconds - (seconds % 3600)) / 3600, ((seconds % 3600) - (seconds % 60)) / 60, seconds % 60]
  return parts.map((part) => `${part}`.padStart(2, '0')).join(':')
}
