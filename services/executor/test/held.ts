import type { NumberedTenure } from '../src/domain/sharing/lease.ts'

/** A lease that is held for ever. */
export const heldForEver = (): NumberedTenure => ({
  since: Number.NEGATIVE_INFINITY,
  provenAt: Number.POSITIVE_INFINITY,
  epoch: 1,
})
