import { z } from 'zod'
import type { Clock } from '../clock.ts'
import { parseFixed } from '../domain/fixed.ts'
import { RATE_SCALE } from '../domain/funding.ts'
import { allMarkets } from '../domain/market.ts'
import type { Exchange } from '../exchange.ts'
import { type Answer, json } from '../wire/message.ts'

const Rate = z.string().transform((text, context) => {
  const rate = parseFixed(text.replace(/^-/, ''), RATE_SCALE)
  // More than a tenth at once is a mistake.
  if (rate !== undefined && rate <= 10n ** BigInt(RATE_SCALE - 1)) return text.startsWith('-') ? -rate : rate
  context.addIssue(`must be a decimal from -0.1 to 0.1 with at most ${RATE_SCALE} places`)
  return z.NEVER
})

const FundingBody = z.strictObject({ rate: Rate })

/** Sets what positions in the linear markets with this symbol pay at each time of funding. */
export function putFunding(
  { exchange, clock }: Readonly<{ exchange: Exchange; clock: Clock }>,
  symbol: string,
  body: unknown,
): Answer {
  if (!allMarkets().some((market) => market.symbol === symbol && market.kind === 'linear'))
    return json(404, { detail: 'Not found' })
  const read = FundingBody.safeParse(body)
  if (!read.success) return json(400, { detail: z.prettifyError(read.error) })
  exchange.setFundingRate(symbol, read.data.rate, clock.nowMs())
  return { status: 204, body: '' }
}
