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

test.each(prerender())('$name shows the nine points of the product', ({ markup }) => {
  const titles = [...markup.matchAll(/<\/span><h3>([^<]+)<\/h3>/g)].map(([, title]) => title)
  expect(titles).toEqual(points)
})

// Fonts of some machines have no letters in circles, as in "USDⓈ-M".
test.each(prerender())('$name is written in letters that every font has', ({ markup }) => {
  expect(markup).not.toMatch(/[\u2460-\u24ff]/)
})
