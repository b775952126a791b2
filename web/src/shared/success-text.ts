/** The ends of finished executions; among the failed ones, of the refused ones nothing was executed. */
export interface Ends {
  success: number
  partial: number
  failed: number
  refused: number
}

/** Returns the number of finished executions that a success rate is of: all but the refused ones. */
export function triedOf({ success, partial, failed, refused }: Ends): number {
  return success + partial + failed - refused
}

/** Says what a success rate counts and what it leaves out. */
export function successText(ends: Ends): string {
  const { success, partial, failed, refused } = ends
  const counted = `${success} of ${triedOf(ends)} succeeded; ${partial} partial and ${failed - refused} failed count as not`
  return refused > 0 ? `${counted}, ${refused} refused left out` : `${counted}`
}
