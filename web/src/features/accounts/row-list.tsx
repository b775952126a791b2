import type { ReactNode } from 'react'
import { useHasCards } from '../../shared/use-media.ts'

/** One value of every row. */
export interface Column<Row> {
  name: string
  isNumber?: boolean
  /** Its cells hold a few words. */
  isWide?: boolean
  /** It holds what can be done with the row; on a card that says itself. */
  isAction?: boolean
  cell: (row: Row) => ReactNode
}

interface RowListProps<Row> {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
}

/** Rows as a table, or as cards where a table has no room. */
export function RowList<Row>(list: RowListProps<Row>) {
  return useHasCards() ? <Cards {...list} /> : <Table {...list} />
}

function Table<Row>({ label, columns, rows, keyOf }: RowListProps<Row>) {
  return (
    <table className="row-table" aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.name} scope="col" className={lookOf(column)}>
              {column.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map((column) => (
              <td key={column.name} className={lookOf(column)}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function lookOf({ isNumber, isWide }: Pick<Column<unknown>, 'isNumber' | 'isWide'>): string | undefined {
  if (isNumber) return 'is-number'
  return isWide ? 'is-wide' : undefined
}

function Cards<Row>({ label, columns, rows, keyOf }: RowListProps<Row>) {
  return (
    <ul className="row-cards" aria-label={label}>
      {rows.map((row) => (
        <li key={keyOf(row)} className="framed">
          <dl>
            {columns.map(({ name, cell, isAction = false }) => (
              <div key={name}>
                <dt className={isAction ? 'visually-hidden' : undefined}>{name}</dt>
                <dd>{cell(row)}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  )
}
