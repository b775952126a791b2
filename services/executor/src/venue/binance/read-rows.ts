import { z } from 'zod'

const Rows = z.array(z.unknown())

/** Returns the rows of a list that can be read; one that cannot hides none of the others. */
export function readRows<Row>(answer: unknown, read: (row: unknown) => Row): Row[] {
  return Rows.parse(answer).flatMap((row) => {
    try {
      return [read(row)]
    } catch {
      return []
    }
  })
}

/** Returns all rows of a list; throws where one cannot be read, since a use of the list depends on each. */
export function readAll<Row>(answer: unknown, read: (row: unknown) => Row): Row[] {
  return Rows.parse(answer).map((row) => read(row))
}
