import { randomUUID } from 'node:crypto'

const LENGTH = 22

/** An id for what the client did not name, as long as the venue's own. */
export function newClientId(): string {
  return randomUUID().replaceAll('-', '').slice(0, LENGTH)
}
