import { expect, test } from '@jest/globals'
import { askedFacts } from './asked-facts.ts'

test('numbers of a request have separators, names stay as they were written', () => {
  expect(
    askedFacts({ amount: '1000000', price: '30000.5', offset: '2%', id: '12345678', tag: '2026' }),
  ).toEqual([
    { name: 'amount', value: '1,000,000' },
    { name: 'price', value: '30,000.5' },
    { name: 'offset', value: '2%' },
    { name: 'id', value: '12345678' },
    { name: 'tag', value: '2026' },
  ])
})
