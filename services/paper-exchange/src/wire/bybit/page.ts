import { BybitError } from './errors.ts'

/** A part of a list, and the cursor of what follows; empty where nothing does. */
export type Page<Row> = Readonly<{ rows: readonly Row[]; next: string }>

// A cursor names the last row given; the venue writes cursors escaped, so clients that escape again are understood.
const PREFIX = 'page_args%3D'

/** The rows after the cursor, at most the limit; `nameOf` names a row lastingly. */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  cursor: string | undefined,
  nameOf: (row: Row) => string,
): Page<Row> {
  const start = cursor === undefined ? 0 : startAfter(rows, cursor, nameOf)
  const page = rows.slice(start, start + limit)
  const last = page.at(-1)
  const hasMore = start + limit < rows.length
  return { rows: page, next: hasMore && last !== undefined ? `${PREFIX}${nameOf(last)}%26` : '' }
}

function startAfter<Row>(rows: readonly Row[], cursor: string, nameOf: (row: Row) => string): number {
  const name = /^page_args(?:%3D|=)(.*?)(?:%26|&)$/.exec(cursor)?.[1]
  if (name === undefined) throw new BybitError(10001, 'params error: cursor invalid')
  const index = rows.findIndex((row) => nameOf(row) === name)
  return index < 0 ? rows.length : index + 1
}
