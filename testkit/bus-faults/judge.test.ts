import { describe, expect, test } from '@jest/globals'
import { judge, type Message, type Order, type Round, type Row } from './judge.ts'

const member = { apiKeys: ['key'], webhookUrl: 'http://webhook' }
const alertId = (letter: string): string => letter.repeat(26)

function message(letter: string, more: Partial<Message> = {}): Message {
  const attempts = [{ status: 200, alertId: alertId(letter), doneAt: 10 }]
  return { member, text: letter, order: { side: 'buy', quantity: '0.002' }, sentAt: 0, attempts, ...more }
}

function order(letter: string, more: Partial<Order> = {}): Order {
  const clientOrderId = `t${alertId(letter)}00000`
  return { clientOrderId, apiKey: 'key', side: 'buy', quantity: 0.002, isLate: false, ...more }
}

function row(letter: string, more: Partial<Row> = {}): Row {
  const result = { side: 'buy', filled: '0.002' }
  const command = { type: 'market', params: {}, executionTimeMs: 1, errorCode: null, error: null }
  const commands = [{ ...command, status: 'success' as const, result }]
  return { apiKey: 'key', alertId: alertId(letter), status: 'success', errorCode: null, commands, ...more }
}

const failed = (errorCode: string): Partial<Row> => ({ status: 'failed', errorCode, commands: [] })

const sound: Round = {
  struckAt: 5,
  messages: [message('A')],
  orders: [order('A')],
  rows: [row('A')],
  positions: new Map([['key', 0.002]]),
}
const nothing = { doubled: [], lostSilently: [], late: [], untrue: [] }

test('a round in which answers, orders and history agree is sound', () => {
  expect(judge(sound)).toEqual(nothing)
})

test('an accepted alert that the history has as failed is not lost without a word', () => {
  const round = { ...sound, orders: [], rows: [row('A', failed('E607'))], positions: new Map([['key', 0]]) }
  expect(judge(round)).toEqual(nothing)
})

test('the order of an attempt without an answer is known by its account, side and size', () => {
  const attempts = [{ status: 0, alertId: undefined, doneAt: undefined }]
  expect(judge({ ...sound, messages: [message('A', { attempts })] })).toEqual(nothing)
})

describe('a violation is', () => {
  test('a message with two orders, under one id or under those of two attempts', () => {
    expect(judge({ ...sound, orders: [order('A'), order('A')] }).doubled).toHaveLength(1)
    const [first, second] = [message('A').attempts, message('B').attempts]
    const messages = [message('A', { attempts: [...first, ...second] })]
    const rows = [row('A'), row('B')]
    expect(judge({ ...sound, messages, rows, orders: [order('A'), order('B')] }).doubled).toHaveLength(1)
  })

  test('an accepted alert without a row, or without an end', () => {
    expect(judge({ ...sound, rows: [] }).lostSilently).toHaveLength(1)
    expect(judge({ ...sound, rows: [row('A', { status: 'running' })] }).lostSilently).toHaveLength(1)
  })

  test('an order that came after the blow of an alert that had ended before it', () => {
    const late = { ...sound, struckAt: 20, orders: [order('A', { isLate: true })] }
    expect(judge(late).late).toHaveLength(1)
    expect(judge({ ...late, struckAt: 5 }).late).toEqual([])
  })

  test('an order that nobody asked for', () => {
    const strange = order('X', { quantity: 7 })
    expect(judge({ ...sound, orders: [order('A'), strange] }).untrue).toHaveLength(1)
  })

  test('a success without its order, and a failure with it, unless that is said to be unknown', () => {
    expect(judge({ ...sound, orders: [] }).untrue).toHaveLength(1)
    const withRow = (code: string) => judge({ ...sound, rows: [row('A', failed(code))] }).untrue
    expect(withRow('E510').length).toBeGreaterThan(0)
    expect(withRow('E602')).toEqual([])
    const [command] = row('A').commands
    const commands = command === undefined ? [] : [{ ...command, errorCode: 'E602', result: null }]
    expect(judge({ ...sound, rows: [row('A', { status: 'failed', commands })] }).untrue).toEqual([])
  })

  test('a position that is not the sum of the history', () => {
    expect(judge({ ...sound, positions: new Map([['key', 0]]) }).untrue).toHaveLength(1)
  })
})
