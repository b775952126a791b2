import { describe, expect, test } from '@jest/globals'
import type { ExecutionView } from '@tripline/proto/http/execution'
import fc from 'fast-check'
import { csvHead, csvLines } from './execution-csv.ts'

const command = {
  type: 'market',
  symbol: 'BTCUSDT',
  params: { side: 'buy' },
  status: 'success',
  execution_time_ms: 3.5,
  error_code: null,
  error_message: null,
  result: { id: '42' },
}
const execution: ExecutionView = {
  id: '01KAJ000000000000000000000-0',
  close_only: false,
  alert_id: '01KAJ000000000000000000000',
  created_at: '2026-11-21T12:00:00.000Z',
  api_key_label: 'MyBot',
  exchange: 'paper_futures',
  symbol: 'BTCUSDT',
  overall_status: 'success',
  error_code: null,
  error_message: null,
  total_ms: 6.25,
  webhook_payload: { message: 'MyBot(BTCUSDT) { market(buy, 1) }' },
  commands_executed: [command],
}

describe('executions as a table', () => {
  test('have a line for each command, and one where there is none', () => {
    expect(cellsOf(csvLines({ ...execution, commands_executed: [command, command] }))).toHaveLength(2)
    expect(cellsOf(csvLines({ ...execution, commands_executed: [] }))).toHaveLength(1)
  })

  test('have as many cells as the head has names', () => {
    const [head] = cellsOf(csvHead)
    const [cells] = cellsOf(csvLines(execution))
    expect(cells).toHaveLength(head?.length ?? 0)
    expect(cells).toEqual(expect.arrayContaining(['MyBot', '6.25', '{"side":"buy"}', '{"id":"42"}']))
  })

  test('show in the last column whether the alert came at a close-only address', () => {
    const [head] = cellsOf(csvHead)
    expect(head?.at(-1)).toBe('close_only')
    for (const isCloseOnly of [true, false])
      for (const commands of [[], [command, command]]) {
        const lines = cellsOf(
          csvLines({ ...execution, close_only: isCloseOnly, commands_executed: commands }),
        )
        expect(new Set(lines.map((cells) => cells.at(-1)))).toEqual(new Set([String(isCloseOnly)]))
      }
  })

  test.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\tx',
    '\rx',
    ' =1',
    '＝1',
    '|calc',
    '%0A',
    '@id 7\nMyBot(X) { balance }',
  ])('show %j and do not run it', (message) => {
    const [cells] = cellsOf(csvLines({ ...execution, webhook_payload: { message } }))
    expect(cells?.[10]).toBe(`'${message}`)
  })

  test('hold any text in its one cell, and no cell begins like a formula', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const [cells] = cellsOf(csvLines({ ...execution, api_key_label: text, error_message: text }))
        expect(cells).toHaveLength(20)
        expect([text, `'${text}`]).toContain(cells?.[3])
        expect(cells?.[3]).not.toMatch(/^[=+\-@\t\r]/)
      }),
    )
  })
})

/** Reads lines of cells as RFC 4180 says. */
function cellsOf(csv: string): string[][] {
  const lines: string[][] = []
  let line: string[] = []
  for (const [, quoted, plain = '', end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    line.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end !== ',') {
      lines.push(line)
      line = []
    }
  }
  return lines
}
