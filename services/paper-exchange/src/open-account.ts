import { z } from 'zod'
import type { Clock } from './clock.ts'
import { parseFixed } from './domain/fixed.ts'
import { VALUE_SCALE } from './domain/market.ts'
import type { Exchange } from './exchange.ts'
import { type Answer, json } from './wire/message.ts'

const Amount = z.string().transform((text, context) => {
  const value = parseFixed(text, VALUE_SCALE)
  if (value !== undefined) return value
  context.addIssue(`"${text}" is not a decimal of at most ${VALUE_SCALE} places`)
  return z.NEVER
})

const NewAccount = z.strictObject({
  balances: z.record(z.string().regex(/^[A-Z0-9]{1,20}$/), Amount).default({ USDT: 1_000_000_000_000n }),
})

/** Opens an account with the balances of the body, or 10,000 USDT, and answers with its key and secret. */
export function openAccount(exchange: Exchange, clock: Clock, body: unknown): Answer {
  const read = NewAccount.safeParse(body)
  if (!read.success) return json(400, { detail: z.prettifyError(read.error) })
  const { apiKey, secret } = exchange.open(new Map(Object.entries(read.data.balances)), clock.nowMs())
  return json(201, { apiKey, secret })
}
