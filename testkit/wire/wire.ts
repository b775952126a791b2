import { writeFileSync } from 'node:fs'
import type { Bus } from '@tripline/kit/bus/bus'
import { z } from 'zod'
import { answered, contracts, patternOf } from './contracts.ts'
import { type Message, messagesBefore, messagesFile, readersBefore } from './version-before.ts'

/** The messages on the bus from now on. */
export interface Wire {
  /** Returns the number of kinds of messages that were seen. */
  kinds: () => number
  /** The messages that the version before cannot read, or nobody says how to, with the reason; each kind once. */
  unreadableBefore: () => string[]
  /** Adds what was seen to the record of the version before: for the release of this one. */
  record: () => void
  stop: () => Promise<void>
}

const Reply = z.discriminatedUnion('ok', [
  z.looseObject({ ok: z.literal(true), value: z.unknown() }),
  z.looseObject({ ok: z.literal(false) }),
])

/** Looks on at everything that a product says on its bus, as its operator, whose connection it closes in the end. */
export async function watchWire({ connection, close }: Bus): Promise<Wire> {
  const seen = new Map<string, Message>()
  const asked = new Map<string, string>()
  const strange = new Set<string>()
  const note = (of: string, value: unknown): void => {
    const message = { of, value: withoutSecrets(value) }
    const key = signatureOf(message)
    if (!seen.has(key)) seen.set(key, message)
  }
  connection.subscribe('>', {
    callback: (error, message) => {
      if (error !== null || message.data.length === 0) return
      const of = patternOf(message.subject)
      if (of !== undefined) {
        if (message.reply !== undefined && contracts.has(`${of} ${answered}`)) asked.set(message.reply, of)
        for (const value of eachOf(message.json())) note(of, value)
        return
      }
      const request = asked.get(message.subject)
      if (request === undefined) {
        if (!busOwn.test(message.subject)) strange.add(message.subject)
        return
      }
      const reply = Reply.parse(message.json())
      if (reply.ok) note(`${request} ${answered}`, reply.value)
    },
  })
  await connection.flush()
  return {
    kinds: () => seen.size,
    unreadableBefore: () => {
      const judge = readersBefore()
      const unknown = [...strange].map((subject) => `${subject}: has no contract`)
      const unreadable = [...seen.values()].flatMap((message) => {
        const reason = judge(message)
        return reason === undefined ? [] : [`${message.of}: ${reason}: ${JSON.stringify(message.value)}`]
      })
      return [...unknown, ...unreadable]
    },
    record: () => {
      const all = new Map([...messagesBefore(), ...seen.values()].map((one) => [signatureOf(one), one]))
      const lines = [...all].map(([, message]) => JSON.stringify(message)).toSorted()
      writeFileSync(messagesFile, `${lines.join('\n')}\n`)
    },
    stop: close,
  }
}

/** Returns each of several things in one message, as a message of its own. */
function eachOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value.map((one) => [one]) : [value]
}

/** Messages with the same fields, and the same words of ours in them, are one. */
function signatureOf({ of, value }: Message): string {
  const [first] = Array.isArray(value) ? value : [value]
  const { kind, state, outcome } = z.looseObject({}).safeParse(first).data ?? {}
  return JSON.stringify([of, kind, state, typeof outcome === 'string' ? outcome : null, fieldsOf(value)])
}

function fieldsOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [fieldsOf(value[0])]
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value
  const entries = Object.entries(value).map(([key, one]) => [
    /^\d+$|^[A-Z]{5,}$/.test(key) ? '*' : key,
    fieldsOf(one),
  ])
  return Object.fromEntries(entries.toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1)))
}

/** Subjects of the bus itself, of replies, and of what is delivered or published again. */
const busOwn = /^(\$JS|\$SYS|_INBOX_|stored\.|deliver\.)/

const secret = /password|token|sealed|url/i

/** The same with other characters in what opens something, even where it opens a product of a test. */
function withoutSecrets(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return secret.test(key) ? value.replaceAll(/[A-Za-z0-9]/g, 'a') : value
  if (Array.isArray(value)) return value.map((one) => withoutSecrets(one, key))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutSecrets(one, name)]))
}
