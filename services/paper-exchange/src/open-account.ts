import { z } from 'zod'
import type { Clock } from './clock.ts'
import { describeEntry } from './control/describe-account.ts'
import { parseFixed } from './domain/fixed.ts'
import { VALUE_SCALE } from './domain/market.ts'
import type { Exchange } from './exchange.ts'
import { type Answer, json } from './wire/message.ts'

// A coin more than this would look like one that was mistyped.
const MAX_BALANCE = 10n ** BigInt(VALUE_SCALE + 15)

const Amount = z.string().transform((text, context) => {
  const value = parseFixed(text, VALUE_SCALE)
  if (value !== undefined && value <= MAX_BALANCE) return value
  context.addIssue(`"${text}" is not a decimal of at most 15 digits and ${VALUE_SCALE} places`)
  return z.NEVER
})

const StartBody = z.strictObject({
  balances: z.record(z.string().regex(/^[A-Z0-9]{1,20}$/), Amount).default({ USDT: 1_000_000_000_000n }),
})

type Opening = Readonly<{ exchange: Exchange; clock: Clock }>

/** Opens an account with the balances of the body, or 10,000 USDT, and answers with its key and secret. */
export function openAccount({ exchange, clock }: Opening, body: unknown): Answer {
  const balances = readBalances(body)
  if ('fault' in balances) return json(400, { detail: balances.fault })
  const { apiKey, secret } = exchange.open(balances.given, clock.nowMs())
  return json(201, { apiKey, secret })
}

/** Gives an account the balances of the body, or 10,000 USDT, and nothing else; returns it. */
export function resetAccount({ exchange, clock }: Opening, apiKey: string, body: unknown): Answer {
  const entry = exchange.ledger.entries.get(apiKey)
  if (!entry) return json(404, { detail: 'Not found' })
  const balances = readBalances(body)
  if ('fault' in balances) return json(400, { detail: balances.fault })
  const now = clock.nowMs()
  exchange.reset(entry, balances.given, now)
  entry.setAt = now
  return json(200, describeEntry(exchange, entry))
}

function readBalances(body: unknown): { given: Map<string, bigint> } | { fault: string } {
  const read = StartBody.safeParse(body)
  if (!read.success) return { fault: z.prettifyError(read.error) }
  return { given: new Map(Object.entries(read.data.balances)) }
}
