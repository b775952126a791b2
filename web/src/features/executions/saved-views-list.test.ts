import { expect, test } from '@jest/globals'
import { readViews, type SavedView, withoutView, withView } from './saved-views-list.ts'

const view = (name: string, owner = 'ada'): SavedView => ({ owner, name, view: `search=${name}` })

test('a view takes the place of one of its name, and leaves those of others alone', () => {
  const views = [view('late'), view('late', 'bob')]
  expect(withView(views, { ...view('late'), view: 'outcome=late' })).toEqual([
    view('late', 'bob'),
    { owner: 'ada', name: 'late', view: 'outcome=late' },
  ])
  expect(withoutView(views, view('late'))).toEqual([view('late', 'bob')])
})

test('the oldest goes where there are too many', () => {
  let views = [view('0', 'bob')]
  for (let number = 1; number <= 25; number++) views = withView(views, view(String(number)))
  const names = views.map(({ name }) => name)
  expect(names).toEqual(['0', ...Array.from({ length: 20 }, (_, index) => String(index + 6))])
})

test.each([null, '', 'nonsense', '{}', '[{"name":1}]'])('%j holds no views', (stored) => {
  expect(readViews(stored)).toEqual([])
})
