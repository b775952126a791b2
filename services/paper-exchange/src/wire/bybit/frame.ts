import { randomBytes, randomUUID } from 'node:crypto'
import { asFields, type Fields } from './fields.ts'

/** A frame of a client: what it wants, and under which name it wants the answer. */
export type Frame = Readonly<{ op: string; id: string | undefined; args: readonly unknown[]; fields: Fields }>

/** Returns the fields of a frame, or undefined if it is no JSON object with an `op`. */
export function readFrame(text: string): Frame | undefined {
  const fields = parse(text)
  const op = fields?.['op']
  if (!fields || typeof op !== 'string') return undefined
  const id = fields['req_id'] ?? fields['reqId']
  const args = fields['args']
  return {
    op,
    id: typeof id === 'string' || typeof id === 'number' ? String(id) : undefined,
    args: Array.isArray(args) ? args : [],
    fields,
  }
}

/** Returns the names in a frame; one that is no text is shown as it was sent. */
export function namesIn({ args }: Frame): string[] {
  return args.map((arg) => (typeof arg === 'string' ? arg : JSON.stringify(arg)))
}

function parse(text: string): Fields | undefined {
  try {
    return asFields(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** The name of a connection. */
export function connectionId(): string {
  return `${randomBytes(10).toString('hex')}-${randomBytes(2).toString('hex')}`
}

/** The name of an event. */
export function eventId(): string {
  return randomUUID()
}
