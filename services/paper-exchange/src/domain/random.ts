/** The number after this one in a fixed row of 32-bit numbers that look random; never zero. */
export function nextRandom(random: number): number {
  let next = random === 0 ? 0x9e3779b9 : random
  next ^= next << 13
  next ^= next >>> 17
  next ^= next << 5
  return next >>> 0
}

/** A 32-bit number that stands for a text. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    hash ^= text.charCodeAt(index)
    hash = (hash + (hash << 1) + (hash << 4) + (hash << 7) + (hash << 8) + (hash << 24)) >>> 0
  }
  return nextRandom(hash)
}
