import { z } from 'zod'

/** An alert's own id and time, in its JSON or on lines of its own. */
export interface Stamps {
  id?: string
  sentAt?: string
}

/** The marks by which an alert is the same as another: its own id, its time together with its text, or nothing. */
export type Identity = { kind: 'none' } | { kind: 'id'; id: string } | { kind: 'sent' }

const SentTime = z.union([z.iso.datetime({ offset: true }), z.string().regex(/^\d{10}(\d{3})?$/)])

/** The identity that an alert gives itself; an id outweighs a time. */
export function identityOf({ id, sentAt }: Stamps): Identity {
  if (id !== undefined) return { kind: 'id', id }
  // A time that is none would make every later alert of the same text a repeat of the first.
  return sentAt !== undefined && SentTime.safeParse(sentAt).success ? { kind: 'sent' } : { kind: 'none' }
}
