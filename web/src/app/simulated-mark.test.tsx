import { afterEach, expect, test } from '@jest/globals'
import { renderToStaticMarkup } from 'react-dom/server'
import { SimulatedMark } from './simulated-mark.tsx'

afterEach(() => {
  Reflect.deleteProperty(globalThis, 'document')
})

function shownAt(venues: string): string {
  Object.assign(globalThis, { document: { querySelector: () => ({ content: venues }) } })
  return renderToStaticMarkup(<SimulatedMark />)
}

test('exchanges that are simulated are marked', () => {
  expect(shownAt('paper')).toMatch(/title="[^"]*play money[^"]*">Simulated<span[^>]*> exchanges</)
})

// The last is what a page has that no gateway filled in.
test.each(['live', '__TRIPLINE_VENUES__'])('exchanges that are %s are not', (venues) => {
  expect(shownAt(venues)).toBe('')
})
