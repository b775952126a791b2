// Longer words are no misspelled names, and comparing them would cost more than it is worth.
const wordLimit = 60

/** The candidate that was probably meant, spelled as in the list; undefined where none is near. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > wordLimit) return undefined
  let best: string | undefined
  let bestDistance = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase())
    if (distance < bestDistance && isNear(distance, Math.max(word.length, candidate.length))) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

// Half of a short word is another word: "up" is not "buy".
function isNear(distance: number, length: number): boolean {
  return distance <= 2 ? distance * 2 < length : 1 - distance / length >= 0.7
}

/** Returns the number of letters to insert, drop, replace or swap with their neighbour to make one word the other. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const replaced = at(last, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1)
      const isSwap = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      const swapped = isSwap && row > 1 && column > 1 ? at(beforeLast, column - 2) + 1 : replaced
      current.push(Math.min(replaced, swapped, at(last, column) + 1, at(current, column - 1) + 1))
    }
    beforeLast = last
    last = current
  }
  return at(last, b.length)
}

function at(row: number[], column: number): number {
  return row[column] ?? 0
}
