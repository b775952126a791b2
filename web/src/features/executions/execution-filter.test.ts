import { describe, expect, test } from '@jest/globals'
import {
  readFilter,
  readOffset,
  readSort,
  withFilter,
  withOffset,
  withoutSeparators,
  withSort,
} from './execution-filter.ts'
import { exportQuery, filterQuery, listQuery } from './execution-query.ts'

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

  test('leave a range, an outcome and a time out that are none', () => {
    expect(readFilter(at('range=ever&outcome=nice&from=yesterday&to=2026-13-41T00:00:00Z'))).toEqual({})
    const known = 'range=7d&outcome=late&from=2026-11-20T10:00:00.000Z&search=+E503+'
    expect(Object.keys(readFilter(at(known)))).toEqual(['outcome', 'search', 'range', 'from'])
  })

  test('take a range or an end of time, not both', () => {
    expect(withFilter(at('from=2026-11-20T10:00:00.000Z&symbol=A'), 'range', '24h').toString()).toBe(
      'symbol=A&range=24h',
    )
    expect(withFilter(at('range=24h'), 'to', '2026-11-20T10:00:00.000Z').get('range')).toBeNull()
  })
})

describe('the request for executions', () => {
  // A Saturday, 00:30 in Rome.
  const present = { nowMs: Date.UTC(2026, 10, 20, 23, 30, 59), zone: 'Europe/Rome' }

  test('contains the filters, empty ones omitted', () => {
    const filter = { api_key_label: 'MyBot', overall_status: 'failed', search: 'E503', outcome: 'late' }
    expect(listQuery(filter, 'newest', 20, present)).toEqual({
      offset: 20,
      limit: 20,
      apiKeyLabel: 'MyBot',
      overallStatus: 'failed',
      search: 'E503',
      outcome: 'late',
    })
    expect(listQuery({}, 'slowest', 0, present)).toEqual({ offset: 0, limit: 20, sort: 'slowest' })
  })

  test.each([
    ['1h', '2026-11-20T22:30:00.000Z'],
    ['24h', '2026-11-19T23:30:00.000Z'],
    ['today', '2026-11-20T23:00:00.000Z'],
    ['30d', '2026-10-21T23:30:00.000Z'],
  ])('begins at the start of the range %s', (range, from) => {
    expect(filterQuery({ range }, present)).toEqual({ from })
    expect(exportQuery('csv', { range, symbol: 'A' }, 'oldest', present).toString()).toBe(
      new URLSearchParams({ format: 'csv', sort: 'oldest', symbol: 'A', from }).toString(),
    )
  })
})

test('an order is one of those that there are, and the usual one is not in the address', () => {
  expect(readSort(at('sort=slowest'))).toBe('slowest')
  expect(readSort(at('sort=biggest'))).toBe('newest')
  expect(withSort(at('offset=40&symbol=A'), 'oldest').toString()).toBe('symbol=A&sort=oldest')
  expect(withSort(at('sort=oldest'), 'newest').toString()).toBe('')
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

test.each([
  ['58,000', '58000'],
  ['1,058,000.5', '1058000.5'],
  ['58,00', '58,00'],
  ['market(buy, 1,000)', 'market(buy, 1,000)'],
])('a search for %s is one for %s', (text, asked) => {
  expect(withoutSeparators(text)).toBe(asked)
})
