import { stripVTControlCharacters } from 'node:util'
import { expect, test } from '@jest/globals'
import { levelNumber, readableLine } from './log-line.ts'

const line = (level: number) =>
  JSON.stringify({
    level,
    time: 1,
    name: 'intake',
    msg: 'bus connection lost',
    alertId: 'A',
    err: { message: 'gone', causes: ['Error: cut'] },
  })

test('a line shows the service, the message, its fields and its cause', () => {
  const text = stripVTControlCharacters(readableLine('intake', line(40), 1, levelNumber(undefined)) ?? '')
  expect(text).toBe('intake         bus connection lost {"alertId":"A"}: gone <- Error: cut')
})

test('lines below the level are left out', () => {
  expect(readableLine('intake', line(30), 1, levelNumber('warn'))).toBeUndefined()
  expect(readableLine('intake', line(30), 1, levelNumber('info'))).toBeDefined()
})

test('text that is no log entry is always shown', () => {
  expect(stripVTControlCharacters(readableLine('auth', 'SyntaxError: no', 0, 60) ?? '')).toBe(
    'auth           SyntaxError: no',
  )
})
