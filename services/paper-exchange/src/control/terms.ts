import { z } from 'zod'
import type { Clock } from '../clock.ts'
import type { Terms } from '../domain/account.ts'
import { marketsOf } from '../domain/market.ts'
import type { Exchange } from '../exchange.ts'
import type { Entry } from '../store/ledger.ts'
import { type Answer, json } from '../wire/message.ts'

const terms = {
  readLagMs: z.number().int().min(0).max(60_000).exactOptional(),
  bnbFees: z.strictObject({ spot: z.boolean(), futures: z.boolean() }).exactOptional(),
  meanPrices: z.boolean().exactOptional(),
  multiAssets: z.boolean().exactOptional(),
  credits: z.boolean().exactOptional(),
  positionSeq: z.enum(['none', 'unknown']).exactOptional(),
}
const Modes = z.object({
  positionMode: z.enum(['one-way', 'hedge']).exactOptional(),
  marginMode: z.enum(['cross', 'isolated']).exactOptional(),
})
const TermsBody = z.strictObject({ ...terms, ...Modes.shape })

type Controlled = Readonly<{ exchange: Exchange; clock: Clock }>

/** Replaces what the body names of an account's terms and modes; returns all of its terms. */
export function putTerms({ exchange, clock }: Controlled, apiKey: string, body: unknown): Answer {
  const entry = exchange.ledger.entries.get(apiKey)
  if (!entry) return json(404, { detail: 'Not found' })
  const read = TermsBody.safeParse(body)
  if (!read.success) return json(400, { detail: z.prettifyError(read.error) })
  const { positionMode, marginMode, ...named } = read.data
  const now = clock.nowMs()
  const refusal = setModes(exchange, entry, { positionMode, marginMode }, now)
  if (refusal) return json(409, { detail: refusal })
  exchange.setTerms(entry, named satisfies Terms, now)
  entry.setAt = now
  return json(200, entry.account.settings.terms)
}

const LINEAR = ['binance-futures', 'bybit-linear', 'okx-linear'] as const

type Modes = { [Name in keyof z.infer<typeof Modes>]: z.infer<typeof Modes>[Name] | undefined }

// Of all linear markets, while nothing is held or open in them.
function setModes(exchange: Exchange, entry: Entry, modes: Modes, now: number): string | undefined {
  const { positionMode, marginMode } = modes
  const refusals = LINEAR.flatMap((venue) => [
    positionMode && exchange.setPositionMode(entry, venue, positionMode, now),
    ...marketsOf(venue).map(({ id }) => marginMode && exchange.setMarginMode(entry, id, marginMode, now)),
  ])
  return refusals.find((refusal) => refusal !== undefined && !refusal.endsWith('Unchanged'))
}
