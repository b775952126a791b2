import { z } from 'zod'
import type { Stamps } from './identity.ts'

const Stamp = z.union([z.string(), z.int()]).transform(String)
const Envelope = z.object({ message: z.string(), id: Stamp.optional(), sent_at: Stamp.optional() })

/** What a webhook was sent: the text to read, and what the JSON around it says of the alert. */
export interface Body extends Stamps {
  message: string
}

/** The body as text or as JSON with a `message`, whatever type it was sent as; undefined for JSON without one. */
export function readBody(body: string): Body | undefined {
  const json = parseJson(body.trim())
  if (json === undefined) return { message: body }
  if (typeof json === 'string') return { message: json }
  const { success, data } = Envelope.safeParse(json)
  if (!success) return undefined
  const { message, id, sent_at: sentAt } = data
  return { message, ...(id !== undefined && { id }), ...(sentAt !== undefined && { sentAt }) }
}

// Most alerts are plain text, and a failed parse costs more than the rest of reading. A message may begin with a
// quoted label, but then it does not end with the quote.
function parseJson(text: string): unknown {
  const mayBeJson = text.startsWith('{') || (text.startsWith('"') && text.endsWith('"'))
  if (!mayBeJson) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
