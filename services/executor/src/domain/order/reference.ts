import type { Decision } from './attempt.ts'

/** A market's bid and ask, and the time of asking for them. */
export interface Quote {
  bid: string
  ask: string
  askedAt: number
}

/** The decision with the price that its order is compared with; as it is where it has one, or is no market order. */
export function withReference(decision: Decision, quote: Quote | undefined, sentAt: number): Decision {
  if (quote === undefined || !lacksReference(decision)) return decision
  const reference = decision.plan.side === 'buy' ? quote.ask : quote.bid
  return { ...decision, reference, referenceKind: quote.askedAt < sentAt ? 'before' : 'after' }
}

/** True for a market order that nothing was read for. */
export function lacksReference({ plan, reference }: Decision): boolean {
  return plan.type === 'market' && reference === undefined
}
