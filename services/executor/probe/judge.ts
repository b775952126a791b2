import type { RecordedMarket } from '../src/venue/read/drift.ts'

/** Something that our adapters, or the paper exchange, take for true of a market. */
export interface Assumption {
  claim: string
  /** The source of it, or our part that rests on it. */
  source: string
  markets: readonly RecordedMarket[]
  /** The step that tries it. */
  step: string
}

/** An assumption's result. */
export interface Verdict {
  id: string
  claim: string
  source: string
  verdict: 'holds' | 'differs' | 'not tried'
  /** The evidence, or why it was not tried. */
  seen: string
}

/** Collects what was seen of each assumption of a market. */
export interface Judge<Id extends string> {
  /** Notes a case of an assumption. One case that differs decides, whatever the others were. */
  check: (id: Id, holds: boolean, seen: string) => void
  /** Notes why no case of an assumption could be tried. */
  skip: (id: Id, why: string) => void
  /** The verdicts, in the order of the list; `fateOf` reports what became of the step of one without any case. */
  verdicts: (fateOf: (step: string) => string) => Verdict[]
}

/** A judge who has seen nothing yet. */
export function createJudge<Id extends string>(
  assumptions: Readonly<Record<Id, Assumption>>,
  market: RecordedMarket,
): Judge<Id> {
  const cases = new Map<Id, { holds: boolean; seen: string }[]>()
  const skipped = new Map<Id, string>()
  const verdictOf = (id: Id, step: string, fateOf: (step: string) => string) => {
    const seen = cases.get(id)
    const decisive = seen?.find(({ holds }) => !holds) ?? seen?.[0]
    if (decisive === undefined)
      return { verdict: 'not tried', seen: skipped.get(id) ?? fateOf(step) } as const
    return { verdict: decisive.holds ? 'holds' : 'differs', seen: decisive.seen } as const
  }
  return {
    check: (id, holds, seen) => void cases.set(id, [...(cases.get(id) ?? []), { holds, seen }]),
    skip: (id, why) => void skipped.set(id, why),
    verdicts: (fateOf) =>
      (Object.entries(assumptions) as [Id, Assumption][])
        .filter(([, { markets }]) => markets.includes(market))
        .map(([id, { claim, source, step }]) => ({ id, claim, source, ...verdictOf(id, step, fateOf) })),
  }
}
