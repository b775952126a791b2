import { rewrap } from './envelope.ts'
import type { NamedKey } from './named-key.ts'

/** Envelopes of one kind, as a store keeps them. */
export interface Envelopes<Id extends string> {
  /** A page of them by id, behind this one; empty at the end. */
  list: (after: Id | undefined) => Promise<readonly { id: Id; envelope: string }[]>
  /** Puts one in the place of another, if that is still there. */
  replace: (id: Id, from: string, to: string) => Promise<void>
  contextOf: (id: Id) => string
}

/** Brings all envelopes under the first KEK; returns how many it brought there, and how many no key opens. */
export async function rewrapAll<Id extends string>(
  keks: readonly [NamedKey, ...NamedKey[]],
  { list, replace, contextOf }: Envelopes<Id>,
): Promise<{ rewrapped: number; unopened: number }> {
  const counts = { rewrapped: 0, unopened: 0 }
  let page = await list(undefined)
  while (page.length > 0) {
    for (const { id, envelope } of page) {
      const outcome = rewrapOne(keks, envelope, contextOf(id))
      if (outcome === 'unopened') counts.unopened++
      else if (outcome !== undefined) {
        await replace(id, envelope, outcome.envelope)
        counts.rewrapped++
      }
    }
    page = await list(page.at(-1)?.id)
  }
  return counts
}

function rewrapOne(
  keks: readonly [NamedKey, ...NamedKey[]],
  envelope: string,
  context: string,
): { envelope: string } | 'unopened' | undefined {
  try {
    const rewrapped = rewrap(keks, envelope, context)
    return rewrapped === undefined ? undefined : { envelope: rewrapped }
  } catch {
    return 'unopened'
  }
}
