import { describe, expect, test } from '@jest/globals'
import type { ExecutionEvent } from '@tripline/proto/event'
import { AlertId, BotId, ClientOrderId, executionIdOf, UserId } from '@tripline/proto/id'
import fc from 'fast-check'
import { escapeText } from './escape.ts'
import { groupNotes } from './group.ts'
import { noteOf } from './note.ts'

const userId = UserId.parse('0193f5a0-0000-7000-8000-000000000001')
const botId = BotId.parse('0193f5a0-0000-7000-8000-0000000000b1')
const alertId = AlertId.parse(`01KAJ${'0'.repeat(21)}`)
const at = Date.UTC(2026, 10, 21, 9, 8, 7, 654)
const switches = { id: botId, label: 'My-Bot', onTrade: true, onError: true, onFill: true }
const settings = { isEnabled: true, sealedToken: 'sealed', chatId: '1', bots: [switches] }
const place = {
  userId,
  alertId,
  botId,
  label: 'My-Bot',
  exchange: 'paper_futures',
  symbol: 'BTCUSDT',
} as const
const command = {
  ...place,
  executionId: executionIdOf(alertId, 0),
  at,
  eventId: 'event',
  command: 0,
  type: 'market',
}
const order = {
  id: '42',
  client_order_id: 't42',
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'market',
  amount: '0.01',
  price: '60000',
  filled: '0.01',
  status: 'filled',
  reduce_only: false,
  sizing: 'base 0.01',
} as const

type Finished = Extract<ExecutionEvent, { kind: 'command.finished' }>

function finished(outcome: Partial<Finished['outcome']>, type = 'market'): Finished {
  const plain = { command: type, result: null, errorCode: null, error: null, executionTimeMs: 1 }
  return { kind: 'command.finished', ...command, type, outcome: { ...plain, status: 'success', ...outcome } }
}

const acknowledged = (filled: string): ExecutionEvent => ({
  kind: 'order.acknowledged',
  ...command,
  clientOrderId: ClientOrderId.parse('t42'),
  side: 'buy',
  quantity: '0.01',
  venueOrderId: '42',
  filled,
  averagePrice: '60000',
  roundTripMs: 1,
})

const later = (kind: 'order.filled' | 'order.canceled', filled: string): ExecutionEvent => {
  const order = { ...acknowledged(filled), roundTripMs: undefined, eventId: 'later' }
  return { ...order, kind, fee: null } as unknown as ExecutionEvent
}

const alarm = (alert: { code?: string; text: string }): ExecutionEvent => ({
  kind: 'command.alarm',
  ...command,
  type: 'oneCancelsOther',
  ...alert,
})

const refused = (more: { botId: BotId | null; label: string | null }): ExecutionEvent => ({
  kind: 'alert.refused',
  ...place,
  ...more,
  eventId: `refused-${more.label}`,
  at,
  message: 'x',
  receivedAt: at,
  errorCode: 'E201',
  error: 'unknown bot NoBot',
})

describe('a user is notified', () => {
  test('of a trade, with its quantity, price and time', () => {
    expect(noteOf(finished({ result: order }), settings)).toEqual({
      id: 'event.trade',
      userId,
      html: '✅ 09:08:07 UTC <b>My-Bot</b> BTCUSDT market buy 0.01 at 60000',
      isUrgent: false,
    })
  })

  test('of the warnings of a trade, and of a command with nothing to do', () => {
    const warned = (code: string, text: string) => ({ ...order, warnings: [{ code, text }] })
    const rounded = '0.0105 was rounded to 0.01, by <2%'
    expect(noteOf(finished({ result: warned('W704', rounded) }), settings)?.html).toBe(
      '✅ 09:08:07 UTC <b>My-Bot</b> BTCUSDT market buy 0.01 at 60000 · W704 0.0105 was rounded to 0.01, by &lt;2%',
    )
    const sides = { stopLoss: warned('W707', 'far'), takeProfit: warned('W703', 'crosses') }
    expect(noteOf(finished({ result: sides }, 'stopOrTakeProfit'), settings)?.html).toContain(
      'stopOrTakeProfit done · W707 far · W703 crosses',
    )
    const nothing = finished({ result: { code: 'N802', note: 'BTCUSDT is flat' } })
    expect(noteOf(nothing, settings)).toMatchObject({
      id: 'event.trade',
      html: '✅ 09:08:07 UTC <b>My-Bot</b> BTCUSDT market did nothing · N802 BTCUSDT is flat',
    })
    const uncanceled = finished({ result: { code: 'N802', note: 'BTCUSDT has no open order' } }, 'cancel')
    expect(noteOf(uncanceled, settings)?.html).toContain(
      'cancel did nothing · N802 BTCUSDT has no open order',
    )
    const left = { orders_count: 1, orders: [warned('W707', 'far')], kept_by: 'executor' as const }
    const failed = finished(
      { status: 'failed', errorCode: 'E604', error: 'a leg', result: left },
      'oneCancelsOther',
    )
    expect(noteOf(failed, settings)?.html).toContain('failed: E604 a leg · W707 far')
  })

  test('of three remarks at most, each in short', () => {
    const orders = Array.from({ length: 10 }, (_, index) => ({
      ...order,
      warnings: [{ code: 'W707', text: `${index} ${'<'.repeat(2000)}` }],
    }))
    const result = { orders_count: 10, orders, kept_by: 'executor' as const }
    const html = noteOf(finished({ result }, 'oneCancelsOther'), settings)?.html ?? ''
    expect(html.split('W707')).toHaveLength(4)
    expect(html).toMatch(/W707 2 (&lt;)+… · and 7 more$/)
    expect(html.length).toBeLessThan(4000)
  })

  test('of a failure and an unknown outcome', () => {
    const failed = finished({ status: 'failed', errorCode: 'E506', error: 'margin < 10 & more' })
    expect(noteOf(failed, settings)?.html).toBe(
      '⚠️ 09:08:07 UTC <b>My-Bot</b> BTCUSDT market failed: E506 margin &lt; 10 &amp; more',
    )
    const unknown = { kind: 'command.unknown', ...command, cause: 'no answer' } as const
    expect(noteOf(unknown, settings)?.html).toContain('outcome unknown')
  })

  test('of a fill, once anything is filled', () => {
    expect(noteOf(acknowledged('0.004'), settings)?.html).toContain('buy filled 0.004 of 0.01 at 60000')
    expect(noteOf(acknowledged('0.000'), settings)).toBeUndefined()
  })

  test('of a fill that comes long after the alert, and of the filled part when the rest is canceled', () => {
    const filled = noteOf(later('order.filled', '0.01'), settings)
    expect(filled).toMatchObject({ id: 'later.fill', isUrgent: false })
    expect(filled?.html).toBe('💠 09:08:07 UTC <b>My-Bot</b> BTCUSDT buy filled 0.01 of 0.01 at 60000')
    const canceled = noteOf(later('order.canceled', '0.004'), settings)
    expect(canceled?.html).toContain('buy canceled, filled 0.004 of 0.01 at 60000')
    expect(noteOf(later('order.canceled', '0.000'), settings)).toBeUndefined()
  })

  test('once of the filled part of an order that an alert cancels', () => {
    const byCancel = { ...later('order.canceled', '0.004'), type: 'cancel' } as ExecutionEvent
    expect(noteOf(byCancel, settings)).toBeUndefined()
  })

  test('at once of all that a person should look at, with its code where it has one', () => {
    const refusedLeg = noteOf(
      alarm({ code: 'E604', text: 'the stop was refused, the entry is filled' }),
      settings,
    )
    expect(refusedLeg).toMatchObject({ isUrgent: true })
    expect(refusedLeg?.html).toBe(
      '🚨 09:08:07 UTC <b>My-Bot</b> BTCUSDT oneCancelsOther: E604 the stop was refused, the entry is filled',
    )
    expect(noteOf(alarm({ text: 'a leg is gone' }), settings)?.html).toContain('Other: a leg is gone')
  })

  test('of the result of a group, and urgently of a command whose end was reported wrong', () => {
    const text = 'stop sell 0.01 is filled, the other orders are canceled'
    const changed = { kind: 'group.changed', ...command, type: 'oneCancelsOther', text } as const
    expect(noteOf(changed, settings)?.html).toContain(
      `✅ 09:08:07 UTC <b>My-Bot</b> BTCUSDT oneCancelsOther: ${text}`,
    )
    const amended = { ...finished({ result: order }), kind: 'command.amended' } as const
    expect(noteOf(amended, settings)?.html).toBe(
      '🚨 09:08:07 UTC <b>My-Bot</b> BTCUSDT updated later: market buy 0.01 at 60000',
    )
    const failed = { ...finished({ status: 'failed', error: 'no' }), kind: 'command.amended' } as const
    expect(noteOf(failed, settings)?.html).toContain('updated later: market failed: no')
  })

  test("of a refused alert by the bot's switch, and where no bot is named once a minute", () => {
    expect(noteOf(refused({ botId, label: 'My-Bot' }), settings)?.html).toContain('E201 unknown bot NoBot')
    const nobody = noteOf(refused({ botId: null, label: 'NoBot' }), settings)
    const other = noteOf(refused({ botId: null, label: 'Other' }), settings)
    expect(nobody?.id).toBe(other?.id)
    const later = noteOf({ ...refused({ botId: null, label: null }), at: at + 60_000 }, settings)
    expect(later?.id).not.toBe(nobody?.id)
  })
})

test('a user is notified once a day how much of a quota is spent', () => {
  const spent = (at: number): ExecutionEvent => {
    const event = refused({ botId: null, label: null }) as Extract<ExecutionEvent, { kind: 'alert.refused' }>
    return { ...event, at, eventId: 'user.quota.1', symbol: null, error: '80% of the bytes', notice: 'quota' }
  }
  const note = noteOf(spent(at), settings)
  expect(note?.html).toBe('⚠️ 09:08:07 UTC 80% of the bytes')
  expect(noteOf(spent(at + 60_000), settings)?.id).toBe(note?.id)
})

describe('a user is not notified', () => {
  test.each([
    ['a trade', 'onTrade', finished({ result: order })],
    ['an error', 'onError', finished({ status: 'failed', error: 'no' })],
    ['a refusal', 'onError', refused({ botId, label: 'My-Bot' })],
    ['a fill', 'onFill', acknowledged('0.01')],
    ['a late fill', 'onFill', later('order.filled', '0.01')],
    ['an alarm', 'onError', alarm({ code: 'E604', text: 'look' })],
    ['a group', 'onTrade', { kind: 'group.changed', ...command, text: 'filled' }],
  ] as const)("of %s while the bot's switch %s is off", (_name, off, event) => {
    expect(noteOf(event, settings)).toBeDefined()
    const others = { onTrade: true, onError: true, onFill: true, [off]: false }
    expect(noteOf(event, { ...settings, bots: [{ ...switches, ...others }] })).toBeUndefined()
  })

  test.each([
    ['they are off', { isEnabled: false }],
    ['no token is set', { sealedToken: null }],
    ['no chat is set', { chatId: null }],
    ['the bot is gone', { bots: [] }],
  ])('of anything while %s', (_name, change) => {
    expect(noteOf(finished({ result: order }), { ...settings, ...change })).toBeUndefined()
    expect(noteOf(finished({ result: order }), undefined)).toBeUndefined()
  })

  test('of commands that are no trade: balances, pauses and skipped ones', () => {
    expect(noteOf(finished({}, 'balance'), settings)).toBeUndefined()
    expect(noteOf(finished({}, 'wait'), settings)).toBeUndefined()
    expect(noteOf(finished({ status: 'skipped' }), settings)).toBeUndefined()
  })
})

test('no text of others becomes markup, and none makes a message too long', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (text) => {
      const escaped = escapeText(text, 300)
      expect(escaped.replaceAll(/&(amp|lt|gt);/g, '')).not.toMatch(/[<>&\0]/)
      expect(escaped.isWellFormed()).toBe(true)
      const html = noteOf(finished({ status: 'failed', error: text, errorCode: text }), settings)?.html ?? ''
      expect(html.length).toBeLessThan(4000)
      expect(html.replaceAll(/<b>[^<>]*<\/b>/g, '')).not.toMatch(/[<>]/)
    }),
  )
})

describe('notes are grouped', () => {
  const notes = (count: number, length: number) =>
    Array.from({ length: count }, (_, index) => ({ id: `${index}`, html: 'x'.repeat(length) }))

  test('into as few messages as they fit, in their order', () => {
    expect(groupNotes(notes(3, 5), 0)).toEqual({ html: 'xxxxx\nxxxxx\nxxxxx', ids: ['0', '1', '2'] })
    const group = groupNotes(notes(50, 300), 0)
    expect(group?.ids).toEqual(Array.from({ length: 13 }, (_, index) => `${index}`))
    expect(group?.html.length).toBeLessThanOrEqual(4000)
  })

  test('with a word on those that were left out', () => {
    expect(groupNotes(notes(1, 2), 7)?.html).toBe('… 7 earlier messages were left out\nxx')
    expect(groupNotes([], 7)).toBeUndefined()
  })
})

test('a bot that cannot trade is reported once a day, and one whose exchange is only out of reach is not', () => {
  const unreachable = {
    kind: 'client.changed',
    ...place,
    exchange: 'bybit',
    state: 'unreachable',
    at,
  } as const
  const problem = 'The private key cannot be read: link the key again'
  const broken = { ...unreachable, eventId: 'client', problem }
  const note = noteOf(broken, settings)
  expect(note).toMatchObject({ isUrgent: true, html: expect.stringContaining(`cannot trade: ${problem}`) })
  expect(noteOf({ ...broken, at: at + 3_600_000, eventId: 'other' }, settings)?.id).toBe(note?.id)
  expect(noteOf({ ...broken, at: at + 86_400_000 }, settings)?.id).not.toBe(note?.id)
  expect(noteOf({ ...unreachable, eventId: 'client' }, settings)).toBeUndefined()
})
