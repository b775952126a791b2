import { describe, expect, test } from '@jest/globals'
import { listQuery, readFilter, readOffset, withFilter, withOffset } from './execution-filter.ts'

const at = (query: string) => new URLSearchParams(query)

describe('the filters of an address', () => {
  test('are those that it names, without blanks and empty ones', () => {
    expect(readFilter(at('api_key_label=My+Bot&symbol=+BTCUSDT+&exchange=&other=1'))).toEqual({
      api_key_label: 'My Bot',
      symbol: 'BTCUSDT',
    })
  })

  test('leave a status out that no execution has', () => {
    expect(readFilter(at('overall_status=nice'))).toEqual({})
    expect(readFilter(at('overall_status=failed'))).toEqual({ overall_status: 'failed' })
  })

  test('changed, begin at the first page again', () => {
    expect(withFilter(at('offset=40&symbol=A'), 'symbol', 'B').toString()).toBe('symbol=B')
    expect(withFilter(at('offset=40&symbol=A&id=1'), 'symbol', ' ').toString()).toBe('')
  })

  test('become what the list is asked for, empty ones omitted', () => {
    const filter = { api_key_label: 'MyBot', overall_status: 'failed' }
    expect(listQuery(filter, 20)).toEqual({
      offset: 20,
      limit: 20,
      apiKeyLabel: 'MyBot',
      overallStatus: 'failed',
    })
  })
})

test.each([
  ['', 0],
  ['offset=40', 40],
  ['offset=45', 40],
  ['offset=-20', 0],
  ['offset=x', 0],
])('the page of "%s" begins behind %d', (query, offset) => {
  expect(readOffset(at(query))).toBe(offset)
})

test('the first page has no offset in its address', () => {
  expect(withOffset(at('symbol=A&offset=20'), 0).toString()).toBe('symbol=A')
  expect(withOffset(at('symbol=A'), 20).toString()).toBe('symbol=A&offset=20')
})
