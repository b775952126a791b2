import type { Tenure } from '../src/domain/sharing/lease.ts'

/** A lease that is held for ever. */
export const heldForEver = (): Tenure => ({
  since: Number.NEGATIVE_INFINITY,
  provenAt: Number.POSITIVE_INFINITY,
})
