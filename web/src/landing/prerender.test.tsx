import { expect, test } from '@jest/globals'
import { prerender } from './prerender.tsx'

const points = [
  'Fastest execution',
  'Multi-exchange',
  'Order commands',
  'Charting platform',
  'Live event stream',
  'Mobile notifications',
  'Full history',
  'Interactive console',
  'Encrypted keys',
]

test.each(prerender())('$name tells the nine points of the product', ({ markup }) => {
  const titles = [...markup.matchAll(/<\/span><h3>([^<]+)<\/h3>/g)].map(([, title]) => title)
  expect(titles).toEqual(points)
})
