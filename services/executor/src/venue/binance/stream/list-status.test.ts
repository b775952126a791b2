import { describe, expect, test } from '@jest/globals'
import { readListStatus } from './list-status.ts'

// The shape of https://developers.binance.com/docs/binance-spot-api-docs/user-data-stream (listStatus).
const event = {
  e: 'listStatus',
  E: 1_564_035_303_637,
  s: 'ETHBTC',
  g: 2,
  c: 'OCO',
  l: 'EXEC_STARTED',
  L: 'EXECUTING',
  r: 'NONE',
  C: 'list',
  T: 1_564_035_303_625,
  O: [
    { s: 'ETHBTC', i: 17, c: 'a' },
    { s: 'ETHBTC', i: 18, c: 'b' },
  ],
}

const orders = [
  { venueOrderId: '17', clientOrderId: 'a' },
  { venueOrderId: '18', clientOrderId: 'b' },
]

describe('a listStatus', () => {
  test('names the orders of a list that was taken, and of one that is done already', () => {
    expect(readListStatus(event)).toEqual({ symbol: 'ETHBTC', orders })
    expect(readListStatus({ ...event, l: 'ALL_DONE', L: 'ALL_DONE' })).toEqual({ symbol: 'ETHBTC', orders })
  })

  test.each([
    ['refused', { l: 'RESPONSE', L: 'REJECT' }],
    ['refused at its start', { L: 'REJECT' }],
    ['of which it says nothing', { l: undefined, L: undefined }],
    ['of a new word', { l: 'RENAMED' }],
  ])('proves nothing of a list that is %s', (_name, differing) => {
    expect(readListStatus({ ...event, ...differing })).toBeUndefined()
  })
})
