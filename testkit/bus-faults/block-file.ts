/** A record of a block in which a server stores a stream: a message, or the mark of one that was deleted. */
export interface BlockRecord {
  offset: number
  length: number
  isDeletion: boolean
}

// Length, sequence, time and the length of the subject come before the subject, and a checksum comes last.
const sequenceOffset = 4
const leastLength = 30
const hasHeaders = 0x80_00_00_00
/** Sequences of deleted messages carry this mark. */
const deletionMark = 1n << 62n

/** Returns the records of a block, up to the first one that is not whole. */
export function recordsOf(block: Buffer): BlockRecord[] {
  const records: BlockRecord[] = []
  for (let offset = 0; offset + leastLength <= block.length; ) {
    const length = (block.readUInt32LE(offset) & ~hasHeaders) >>> 0
    if (length < leastLength || offset + length > block.length) break
    const isDeletion = (block.readBigUInt64LE(offset + sequenceOffset) & deletionMark) !== 0n
    records.push({ offset, length, isDeletion })
    offset += length
  }
  return records
}
