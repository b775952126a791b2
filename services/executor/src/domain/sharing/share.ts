/** Members that share the partitions, and the present holder of each. */
export interface Holdings {
  members: readonly string[]
  /** The holder of every partition whose lease lives; of a partition that is free there is none. */
  holderOf: ReadonlyMap<number, string>
  partitionCount: number
}

/**
 * Returns the share of each member: all the same number, or some of them one more. Those who hold most keep the odd
 * ones, so that nothing moves that need not.
 */
export function sharesOf(holdings: Holdings): Map<string, number> {
  const { members, partitionCount } = holdings
  const held = countsOf(holdings)
  const odd = partitionCount % members.length
  const even = (partitionCount - odd) / members.length
  return new Map(
    members
      .toSorted((one, other) => (held.get(other) ?? 0) - (held.get(one) ?? 0) || (one < other ? -1 : 1))
      .map((member, rank) => [member, rank < odd ? even + 1 : even]),
  )
}

/** Returns the number of partitions that a member holds beyond its share. */
export function excessOf(member: string, holdings: Holdings): number {
  const share = sharesOf(holdings).get(member) ?? 0
  const held = countsOf(holdings).get(member) ?? 0
  return held <= share ? 0 : held - share
}

/** Which of the free partitions fall to a member: each to one of those who hold less than their share. */
export function dueTo(member: string, free: readonly number[], holdings: Holdings): number[] {
  const held = countsOf(holdings)
  const shares = sharesOf(holdings)
  let from = 0
  for (const each of holdings.members.toSorted()) {
    const missing = (shares.get(each) ?? 0) - (held.get(each) ?? 0)
    const to = missing > 0 ? from + missing : from
    if (each === member) return free.slice(from, to)
    from = to
  }
  return []
}

function countsOf({ members, holderOf }: Holdings): Map<string, number> {
  const counts = new Map(members.map((member) => [member, 0]))
  for (const holder of holderOf.values()) {
    const count = counts.get(holder)
    if (count !== undefined) counts.set(holder, count + 1)
  }
  return counts
}
