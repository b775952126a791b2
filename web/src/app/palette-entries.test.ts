import { expect, test } from '@jest/globals'
import { searchEntries } from './palette-entries.ts'

const titles = ['Go to Dashboard', 'Go to Execution History', 'Executions of MyBot', 'Check Balance on MyBot']
const found = (search: string) =>
  searchEntries(
    titles.map((title) => ({ title })),
    search,
  ).map(({ title }) => title)

test('every word of a search is somewhere in the entries it finds', () => {
  expect(found('mybot exec')).toEqual(['Executions of MyBot'])
  expect(found('nothing')).toEqual([])
  expect(found('')).toEqual(titles)
})

test('an entry that begins with the search comes before one that only contains it', () => {
  expect(found('bo')).toEqual(['Go to Dashboard', 'Executions of MyBot', 'Check Balance on MyBot'])
  expect(found('ba')).toEqual(['Check Balance on MyBot'])
})
