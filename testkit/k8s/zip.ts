import { inflateRawSync } from 'node:zlib'

const endSignature = 0x06054b50
const endBytes = 22
const entryBytes = 46
const localBytes = 30

/** The content of one file of a zip archive; undefined if it holds none of that name. */
export function readFromZip(archive: Buffer, name: string): Buffer | undefined {
  const end = findEnd(archive)
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const nameBytes = archive.readUInt16LE(at + 28)
    const entry = archive.toString('utf8', at + entryBytes, at + entryBytes + nameBytes)
    if (entry === name) return contentOf(archive, at)
    at += entryBytes + nameBytes + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  return undefined
}

// The table of contents is at the end, before a comment of unknown length.
function findEnd(archive: Buffer): number {
  for (let at = archive.length - endBytes; at >= 0; at--)
    if (archive.readUInt32LE(at) === endSignature) return at
  throw new Error('This is no zip archive')
}

function contentOf(archive: Buffer, entry: number): Buffer {
  const packedBytes = archive.readUInt32LE(entry + 20)
  const local = archive.readUInt32LE(entry + 42)
  const start = local + localBytes + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
  const packed = archive.subarray(start, start + packedBytes)
  return archive.readUInt16LE(entry + 10) === 0 ? packed : inflateRawSync(packed)
}
