import { describe, expect, test } from '@jest/globals'
import { textTable } from '../table.ts'
import { comparisonOf, tablesIn } from './tables.ts'

function output(p50: string, ...others: string[][]): string {
  const rows = [['20/s, lean handler', p50, '180'], ...others]
  return [
    '  2.1 s  started services',
    '',
    'Two rounds.',
    '',
    textTable(['wire, us', 'p50', 'alerts'], rows),
    '',
  ].join('\n')
}

describe('the tables of an output', () => {
  test('have their title, and cells by their columns', () => {
    expect(tablesIn(output('9.5', ['intake', '', 'many']))).toEqual([
      {
        title: 'Two rounds.',
        columns: ['wire, us', 'p50', 'alerts'],
        rows: [
          ['20/s, lean handler', '9.5', '180'],
          ['intake', '', 'many'],
        ],
      },
    ])
  })

  test('are as many as there are', () => {
    const text = `${output('1')}\nAnother.\n\n${textTable(['', 'ms'], [['last', '4']])}`
    expect(tablesIn(text).map(({ title, columns }) => [title, columns.length])).toEqual([
      ['Two rounds.', 3],
      ['Another.', 2],
    ])
    expect(tablesIn('nothing\n\nof the kind')).toEqual([])
  })
})

describe('a comparison', () => {
  test('has the median of each number, with as many digits', () => {
    const text = comparisonOf(
      ['9.0', '11.0', '40.0'].map((p50) => output(p50)),
      [output('8.25'), output('8.75')],
    )
    expect(tablesIn(text)[0]?.rows).toEqual([['20/s, lean handler', '11.0 > 8.50', '180 > 180']])
    expect(text.startsWith('Two rounds.\n\n')).toBe(true)
  })

  test('names rows and tables that one version lacks', () => {
    const old = `${output('1')}\nOf then.\n\n${textTable(['', 'ms'], [['last', '4']])}`
    const text = comparisonOf([old], [output('2', ['new', '7', 'no number'])])
    expect(tablesIn(text)[0]?.rows).toEqual([
      ['20/s, lean handler', '1 > 2', '180 > 180'],
      ['new', '- > 7', 'no number'],
    ])
    expect(text).toMatch(/\n\nOnly before: Of then\.$/)
  })
})
