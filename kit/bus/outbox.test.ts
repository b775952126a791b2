import { setImmediate as turnEnds } from 'node:timers/promises'
import { beforeEach, expect, test } from '@jest/globals'
import { type Outbox, openOutbox } from './outbox.ts'

let isClosed: boolean
let sent: string[]
let failures: unknown[]
let outbox: Outbox

beforeEach(() => {
  isClosed = false
  sent = []
  failures = []
  const publish = (subject: string): void => {
    if (subject === 'too.long') throw new Error('more than the server takes')
    sent.push(subject)
  }
  outbox = openOutbox({ isClosed: () => isClosed, publish } as Parameters<typeof openOutbox>[0])
})

function send(subject: string, isUrgent = false): void {
  outbox.send({ subject, payload: '', isUrgent, fail: (error) => failures.push(error) })
}

test('messages of a turn leave at its end, in their order', async () => {
  send('first')
  send('second')
  expect(sent).toEqual([])
  await turnEnds()
  expect(sent).toEqual(['first', 'second'])
})

test('an urgent one takes along the messages given before it', () => {
  send('first')
  send('urgent', true)
  expect(sent).toEqual(['first', 'urgent'])
})

test('a message that cannot be sent fails with its reason, and holds up no other', async () => {
  send('too.long')
  send('second')
  await turnEnds()
  expect([sent, failures]).toEqual([['second'], [new Error('more than the server takes')]])
})

test('nothing is taken once the connection is closed', () => {
  isClosed = true
  expect(() => send('late')).toThrow('the bus is closed')
})
