import type { ClientOrderId } from '@tripline/proto/id'

/** Most replacements of a leg: its id has one digit for it. */
export const mostRevisions = 30

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUV'
const revisionAt = 31

/** Returns which revision of its order has this id. */
export function revisionOf(clientOrderId: ClientOrderId): number {
  const revision = digits.indexOf(clientOrderId.charAt(revisionAt))
  return revision === -1 ? 0 : revision
}

/** The id of the same order in another revision. */
export function revised(clientOrderId: ClientOrderId, revision: number): ClientOrderId {
  const behind = clientOrderId.slice(revisionAt + 1)
  return `${clientOrderId.slice(0, revisionAt)}${digits[revision]}${behind}` as ClientOrderId
}
