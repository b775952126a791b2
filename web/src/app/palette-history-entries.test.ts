import { expect, jest, test } from '@jest/globals'
import { searchEntries } from './palette-entries.ts'
import { codeEntries } from './palette-history-entries.ts'

test('an error is found in the manual first, then in the history', () => {
  const go = jest.fn()
  const found = searchEntries(codeEntries(go), 'e507')
  expect(found.map(({ title }) => title)).toEqual([
    'E507 stop on the wrong side: manual',
    'E507 stop on the wrong side: executions',
  ])
  for (const { run } of found) run()
  expect(go.mock.calls).toEqual([['/manual#E507'], ['/executions?search=E507']])
})

test('a warning ended nothing, so it is found in the manual alone', () => {
  const found = searchEntries(codeEntries(jest.fn()), 'w704')
  expect(found.map(({ title }) => title)).toEqual(['W704 rounded by more than 1%: manual'])
})
