import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import type { Publication, Stored } from '@tripline/kit/bus/acknowledged-publish'
import type { Bus } from '@tripline/kit/bus/bus'
import { type ExecutionEvent, eventsIn } from '@tripline/proto/event'
import { started } from '@tripline/proto/test/started-event'
import { testLog } from '@tripline/testkit/log'
import { waitFor } from '@tripline/testkit/wait-for'
import { openEventLog } from './event-log.ts'
import { messagesOf } from './event-message.ts'

interface Attempt extends Publication {
  answer: (stored: Stored | Error) => void
}

/** A bus whose stream says when asked to. */
function slowBus(): { bus: Bus; attempts: Attempt[] } {
  const attempts: Attempt[] = []
  const bus = {
    log: testLog('executor'),
    isConnected: () => true,
    connection: { isClosed: () => false },
    publishStored: async (publication: Publication) => {
      const { promise, resolve, reject } = Promise.withResolvers<Stored>()
      const answer: Attempt['answer'] = (said) => (said instanceof Error ? reject(said) : resolve(said))
      attempts.push({ ...publication, answer })
      return await promise
    },
  }
  return { bus: bus as unknown as Bus, attempts }
}

const stored = { sequence: 1, isDuplicate: false }
const held = () => 'held' as const

function idsIn(attempts: readonly Attempt[]): (string | undefined)[][] {
  return attempts.map(({ payload }) => eventsIn(payload).map(({ event }) => event?.eventId))
}

function idsOf(...commands: number[]): string[] {
  return commands.map((command) => started(command).eventId)
}

test('events that wait are stored together, each once, and settle with one answer', async () => {
  const { bus, attempts } = slowBus()
  const log = openEventLog(bus, { hold: held, emittedBefore: new Set() })
  for (const command of [0, 1, 1, 0, 2]) log.emit(started(command))
  let isStored = false
  const storing = log.stored().then(() => {
    isStored = true
  })
  await waitFor(() => attempts.length === 1)
  expect(idsIn(attempts)).toEqual([idsOf(0, 1, 2)])
  await sleep(5)
  expect(isStored).toBe(false)
  attempts[0]?.answer(stored)
  await storing
  expect(attempts).toHaveLength(1)
})

test('an event that is emitted while nothing waits is stored soon, and waits for no more to come', async () => {
  const { bus, attempts } = slowBus()
  const log = openEventLog(bus, { hold: held, emittedBefore: new Set() })
  log.emit(started(0))
  await waitFor(() => attempts.length === 1)
  expect(JSON.parse(attempts[0]?.payload ?? '')).toEqual(started(0))
  expect(attempts[0]?.messageId).toBe(started(0).eventId)
  log.emit(started(1))
  log.emit(started(2))
  attempts[0]?.answer(stored)
  await waitFor(() => attempts.length === 2)
  expect(idsIn(attempts)).toEqual([idsOf(0), idsOf(1, 2)])
  attempts[1]?.answer(stored)
  await log.stored()
})

test('a message whose answer is lost is sent again as it was, whatever was emitted meanwhile', async () => {
  const { bus, attempts } = slowBus()
  const log = openEventLog(bus, { hold: held, emittedBefore: new Set() })
  log.emit(started(0))
  log.emit(started(1))
  const storing = log.stored()
  await waitFor(() => attempts.length === 1)
  log.emit(started(2))
  attempts[0]?.answer(new Error('no answer'))
  await waitFor(() => attempts.length === 2)
  expect(attempts[1]).toMatchObject({ payload: attempts[0]?.payload, messageId: attempts[0]?.messageId })
  attempts[1]?.answer(stored)
  await waitFor(() => attempts.length === 3)
  attempts[2]?.answer(stored)
  await storing
  expect(idsIn(attempts)).toEqual([idsOf(0, 1), idsOf(0, 1), idsOf(2)])
})

test('events that earlier attempts stored are not emitted again', async () => {
  const { bus, attempts } = slowBus()
  const log = openEventLog(bus, { hold: held, emittedBefore: new Set(idsOf(0, 2)) })
  for (const command of [0, 1, 2]) log.emit(started(command))
  const storing = log.stored()
  await waitFor(() => attempts.length === 1)
  attempts[0]?.answer(stored)
  await storing
  expect(idsIn(attempts)).toEqual([idsOf(1)])
})

test('where that is not known, each event has a message under its own id', async () => {
  const { bus, attempts } = slowBus()
  const log = openEventLog(bus, { hold: held, emittedBefore: undefined })
  for (const command of [0, 1]) log.emit(started(command))
  const storing = log.stored()
  await waitFor(() => attempts.length === 2)
  for (const { answer } of attempts) answer(stored)
  await storing
  expect(attempts.map(({ messageId }) => messageId)).toEqual(idsOf(0, 1))
  expect(idsIn(attempts)).toEqual([idsOf(0), idsOf(1)])
})

test('those of each bot are together in their order, and no other two messages have one id', () => {
  const eventIds = (events: ExecutionEvent[]) => events.map((event) => ({ event, traceparent: undefined }))
  const events = [started(0), started(0, { block: 1 }), started(1), started(1, { block: 1 })]
  const messages = messagesOf(eventIds(events), true)
  expect(messages.map(({ texts }) => texts.map((text) => JSON.parse(text)))).toEqual([
    [events[0], events[2]],
    [events[1], events[3]],
  ])
  const attempts = [[0], [0, 1], [0, 2], [0, 1, 2], [1, 2]].map((commands) =>
    commands.map((one) => started(one)),
  )
  const ids = attempts
    .flatMap((attempt) => messagesOf(eventIds(attempt), true))
    .map(({ messageId }) => messageId)
  expect(new Set(ids).size).toBe(attempts.length)
  expect(messagesOf(eventIds(attempts[3] ?? []), true)[0]?.messageId).toBe(ids[3])
})

test('a message is no larger than the bus takes, and a traced event is alone', () => {
  const sizes = (events: ExecutionEvent[], traceparent?: string) =>
    messagesOf(
      events.map((event) => ({ event, traceparent })),
      true,
    ).map(({ texts }) => texts.length)
  expect(sizes(Array.from({ length: 150 }, (_, command) => started(command)))).toEqual([64, 64, 22])
  const long = { label: 'é'.repeat(12_000) }
  expect(sizes([0, 1, 2, 3, 4].map((command) => started(command, long)))).toEqual([2, 2, 1])
  expect(sizes([started(0, { label: 'x'.repeat(70_000) }), started(1)])).toEqual([1, 1])
  expect(sizes([started(0), started(1)], 'trace')).toEqual([1, 1])
})
