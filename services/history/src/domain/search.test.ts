import { expect, test } from '@jest/globals'
import { readSearch } from './search.ts'

const alertId = '01KAJ00000000000000000002V'

test.each([
  ['e515', { code: 'E515' }],
  [' E201 ', { code: 'E201' }],
  ['E2011', { text: 'E2011' }],
  [alertId, { alertId }],
  [alertId.toLowerCase(), { alertId }],
  [`${alertId}-12`, { alertId }],
  [`t${alertId}10000`, { alertId }],
  [`T${alertId}10000ABCD`, { alertId }],
  ['4000000003', { text: '4000000003' }],
  [' Market(Buy ', { text: 'Market(Buy' }],
  ['U1KAJ00000000000000000002V', { text: 'U1KAJ00000000000000000002V' }],
])('%j searches %j', (typed, search) => {
  expect(readSearch(typed)).toEqual(search)
})
