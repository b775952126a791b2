import { describe, expect, test } from '@jest/globals'
import type { PublicEvent } from '@tripline/proto/public-event'
import { type ActivityLine, readPublicEvent, withEvent } from './activity-lines.ts'

const event = (second: number, message = 'Alert success'): PublicEvent => ({
  timestamp: new Date(second * 1000).toISOString(),
  type: 'webhook',
  message,
})

describe('the lines of the live activity', () => {
  test('are the newest 200, each with a number of its own', () => {
    let lines: readonly ActivityLine[] = []
    for (let second = 0; second < 250; second++) lines = withEvent(lines, event(second), undefined)
    expect(lines).toHaveLength(200)
    expect(lines[0]?.id).toBe(51)
    expect(new Set(lines.map(({ id }) => id)).size).toBe(200)
  })

  test('hold nothing twice after a new connection, which begins with the last events', () => {
    const lines = withEvent(withEvent([], event(1), undefined), event(2), undefined)
    const since = event(2).timestamp
    expect(withEvent(lines, event(1), since)).toBe(lines)
    expect(withEvent(lines, event(2), since)).toBe(lines)
    expect(withEvent(lines, event(3), since)).toHaveLength(3)
  })

  test('have no greetings', () => {
    expect(withEvent([], { ...event(1), type: 'connected' }, undefined)).toEqual([])
  })
})

describe('a line of the public stream', () => {
  test('is an event', () => {
    expect(readPublicEvent(JSON.stringify(event(1)))).toEqual(event(1))
  })

  test.each(['', '{', '1', 'null', '{}', '{"timestamp":"x","type":"webhook","message":"m"}'])(
    'is ignored when it is %s',
    (text) => {
      expect(readPublicEvent(text)).toBeUndefined()
    },
  )
})
