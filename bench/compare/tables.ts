import { median } from '../statistics.ts'
import { textTable } from '../table.ts'

/** A table of a benchmark's output. */
export interface Table {
  /** The last line before it that belongs to no table. */
  title: string
  columns: readonly string[]
  rows: readonly (readonly string[])[]
}

const ruler = /^-+(?: {2}-+)*$/

/** Returns the tables of a text, in their order. */
export function tablesIn(text: string): Table[] {
  const lines = text.split('\n')
  const tables: Table[] = []
  let [title, end] = ['', 0]
  for (const [index, line] of lines.entries()) {
    if (index < end) continue
    if (!ruler.test(line)) {
      if (line.trim() !== '' && !ruler.test(lines[index + 1] ?? '')) title = line
      continue
    }
    const cells = (row: string): string[] =>
      [...line.matchAll(/-+/g)].map(({ index: at, 0: { length } }) => row.slice(at, at + length).trim())
    end = lines.findIndex((row, at) => at > index && row.trim() === '')
    if (end === -1) end = lines.length
    tables.push({
      title,
      columns: cells(lines[index - 1] ?? ''),
      rows: lines.slice(index + 1, end).map(cells),
    })
  }
  return tables
}

/**
 * Compares the tables of several runs of two versions: a number is shown as its median before and now, another text as it
 * is now. Tables and rows that one version lacks are named.
 */
export function comparisonOf(before: readonly string[], now: readonly string[]): string {
  const [old, current] = [before, now].map((texts) => texts.map(tablesIn))
  const tables = current?.[0] ?? []
  const lacking = (old?.[0] ?? []).filter((table) => same(table, tables) === undefined)
  const parts = tables.map((table) => {
    const [olds, news] = [old, current].map((runs) => (runs ?? []).flatMap((run) => same(table, run) ?? []))
    const rows = table.rows.map((row) => comparedRow(row, olds ?? [], news ?? []))
    return [...(table.title === '' ? [] : [table.title, '']), textTable(table.columns, rows)].join('\n')
  })
  return [...parts, ...lacking.map(({ title }) => `Only before: ${title}`)].join('\n\n')
}

function same({ title, columns }: Table, tables: readonly Table[]): Table | undefined {
  return tables.find((one) => one.title === title && one.columns.join() === columns.join())
}

function comparedRow(row: readonly string[], before: readonly Table[], now: readonly Table[]): string[] {
  const [name = ''] = row
  return row.map((cell, column) => {
    if (column === 0) return cell
    const [old, current] = [before, now].map((tables) => cellsOf(tables, name, column))
    if (current === undefined || !current.every(isNumber)) return cell
    return `${old?.every(isNumber) ? middle(old) : '-'} > ${middle(current)}`
  })
}

function cellsOf(tables: readonly Table[], name: string, column: number): string[] | undefined {
  const cells = tables.flatMap(({ rows }) => rows.find(([first]) => first === name)?.[column] ?? [])
  return cells.length === 0 ? undefined : cells
}

function isNumber(text: string): boolean {
  return text !== '' && Number.isFinite(Number(text))
}

function middle(cells: readonly string[]): string {
  const digits = Math.max(...cells.map((cell) => cell.split('.')[1]?.length ?? 0))
  return median(cells.map(Number)).toFixed(digits)
}
