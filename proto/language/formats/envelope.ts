import { noProblems } from '../problem.ts'
import type { Stamps } from '../stamp.ts'
import type { AlertFormat } from './alert-format.ts'
import { type JsonMember, type JsonNode, parseJson } from './json.ts'

/** A message, the format it is in, and what the JSON around it says of it. */
export interface Envelope extends Stamps {
  message: string
  format: AlertFormat
}

/** Whether the text is meant as JSON, readable or not. A message may begin with a brace, but not like this. */
export function isJson(text: string): boolean {
  return /^\s*(?:\{\s*["}]|\[\s*\{)/.test(text)
}

/**
 * The message in `{"message": "..."}`, which is in our own language whatever the webhook's format, or in a JSON text;
 * anything else is the message itself.
 */
export function openEnvelope(text: string, format: AlertFormat): Envelope {
  const trimmed = text.trim()
  // A message may begin with a quoted label, but then it does not end with the quote.
  const isQuoted = trimmed.startsWith('"') && trimmed.endsWith('"')
  if (!isQuoted && !isJson(trimmed)) return { message: text, format }
  const json = parseJson(trimmed, noProblems())
  if (json?.kind === 'text') return { message: json.text, format }
  const envelope = json?.kind === 'object' ? envelopeOf(json.members, format) : undefined
  return envelope ?? { message: text, format }
}

const envelopeKeys: ReadonlySet<string> = new Set(['message', 'id', 'sent_at'])

function envelopeOf(members: JsonMember[], format: AlertFormat): Envelope | undefined {
  const nodeOf = (name: string): JsonNode | undefined => members.find(({ key }) => key.text === name)?.value
  const message = nodeOf('message')
  if (message?.kind !== 'text' || nodeOf('commands') !== undefined) return undefined
  // Other formats have a field of this name too, among others.
  const isOurs = format === 'tripline' || members.every(({ key }) => envelopeKeys.has(key.text))
  const [id, sentAt] = [stampOf(nodeOf('id')), stampOf(nodeOf('sent_at'))]
  if (!isOurs || id === null || sentAt === null) return undefined
  const stamps = { ...(id !== undefined && { id }), ...(sentAt !== undefined && { sentAt }) }
  return { message: message.text, format: 'tripline', ...stamps }
}

/** A text or a whole number; null for what can be neither an id nor a time. */
function stampOf(node: JsonNode | undefined): string | undefined | null {
  if (node === undefined) return undefined
  return isStamp(node) ? node.text : null
}

/** Whether the value may be an id or a time. */
export function isStamp(node: JsonNode): node is Extract<JsonNode, { text: string }> {
  return node.kind === 'text' || (node.kind === 'number' && /^-?\d+$/.test(node.text))
}
