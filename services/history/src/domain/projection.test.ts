import { describe, expect, test } from '@jest/globals'
import type { ExecutionEvent } from '@tripline/proto/event'
import fc from 'fast-check'
import { eventsOfAlert, lateAnswer } from '../../test/event-builder.ts'
import { type Projection, project } from './projection.ts'

const events: ExecutionEvent[] = [...eventsOfAlert({ blocks: 2 }), ...lateAnswer()]

describe('project', () => {
  test('gives one row an execution and one a command', () => {
    const { executions, commands } = project(eventsOfAlert({ blocks: 2 }))
    expect(executions).toHaveLength(2)
    expect(commands).toHaveLength(2)
  })

  test('stores each event once for each moment at which it was emitted, without the texts of the execution', () => {
    const [received] = eventsOfAlert({ blocks: 1 })
    const again = events.slice(0, 2).map((event) => ({ ...event, at: event.at + 1000 }))
    const { events: projected } = project([...events, ...events, ...again])
    expect(projected).toHaveLength(events.length + 2)
    expect(projected[0]).toEqual({
      executionId: received?.kind === 'execution.received' && received.executionId,
      id: received?.eventId,
      at: received?.at,
      kind: 'execution.received',
      command: null,
      details: { receivedAt: received?.kind === 'execution.received' && received.receivedAt },
    })
  })

  test('gives no row to a notice, which belongs to no alert', () => {
    const [received] = eventsOfAlert({ blocks: 1 })
    if (received?.kind !== 'execution.received') throw new Error('an alert begins with its receipt')
    const { eventId, at, userId, alertId, receivedAt } = received
    const nowhere = { botId: null, label: null, symbol: null, exchange: null, message: '' }
    const header = { kind: 'alert.refused', eventId, at, userId, alertId, receivedAt, ...nowhere } as const
    const notice = { ...header, errorCode: 'quota', error: '80%', notice: 'quota' } as const
    expect(project([notice])).toEqual({ executions: [], commands: [], events: [], orders: [] })
  })

  test('takes the moment of receipt as the moment of the execution, whichever event comes first', () => {
    const [received, ...later] = eventsOfAlert({ blocks: 1 })
    const receivedAt = received?.kind === 'execution.received' ? received.receivedAt : Number.NaN
    for (const order of [events.slice(0, 6), [...later, ...(received ? [received] : [])]]) {
      expect(project(order).executions[0]).toMatchObject({ createdAt: receivedAt })
    }
  })

  test('lets a known outcome replace an unknown one, and never the other way round', () => {
    const [unknown, finished] = lateAnswer()
    for (const order of [
      [unknown, finished],
      [finished, unknown],
    ]) {
      const shuffled = order.filter((event) => event !== undefined)
      expect(project(shuffled).commands[0]?.standing).toMatchObject({ status: 'success', errorCode: null })
    }
  })

  test('gives the same rows for any order of the events, each read any number of times', () => {
    const expected = sorted(project(events))
    const orders = fc
      .shuffledSubarray(events, { minLength: events.length })
      .chain((order) => fc.array(fc.constantFrom(...events)).map((repeats) => [...repeats, ...order]))
    fc.assert(fc.property(orders, (order) => expect(sorted(project(order))).toEqual(expected)))
  })
})

function sorted({ executions, commands, events }: Projection): Omit<Projection, 'orders'> {
  return {
    executions: executions.toSorted((one, other) => one.id.localeCompare(other.id)),
    commands: commands.toSorted((one, other) => keyOf(one).localeCompare(keyOf(other))),
    events: events.toSorted((one, other) => `${one.id} ${one.at}`.localeCompare(`${other.id} ${other.at}`)),
  }
}

function keyOf(command: Projection['commands'][number]): string {
  return `${command.executionId}.${command.place}`
}
