import { expect, jest, test } from '@jest/globals'
import { searchEntries } from './palette-entries.ts'
import { codeEntries } from './palette-history-entries.ts'

test('an error is found in the history first, then in the manual', () => {
  const go = jest.fn()
  const found = searchEntries(codeEntries(go), 'e507')
  expect(found.map(({ title }) => title)).toEqual([
    'E507 stop on the wrong side: executions',
    'E507 stop on the wrong side: manual',
  ])
  for (const { run } of found) run()
  expect(go.mock.calls).toEqual([['/executions?search=E507'], ['/manual#E507']])
})

test('a warning ended nothing, so it is found in the manual alone', () => {
  const found = searchEntries(codeEntries(jest.fn()), 'w704')
  expect(found.map(({ title }) => title)).toEqual(['W704 rounded by more than 1%: manual'])
})
