import { existsSync } from 'node:fs'
import { cp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Random } from '../random.ts'
import { type BlockRecord, recordsOf } from './block-file.ts'

/** Returns the folders in which a server's store holds a stream, or the log of the group that copies it. */
export async function foldersOf(store: string, names: readonly string[]): Promise<string[]> {
  const all = await readdir(store, { recursive: true, withFileTypes: true })
  return all
    .filter((entry) => entry.isDirectory() && names.includes(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((folder) => existsSync(path.join(folder, 'msgs')))
}

/** Returns the blocks of a folder, oldest first; empty ones are left out. */
async function blocksIn(folder: string): Promise<{ file: string; block: Buffer }[]> {
  const names = await readdir(path.join(folder, 'msgs'))
  const numbered = names
    .filter((name) => name.endsWith('.blk'))
    .toSorted((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10))
  const files = numbered.map((name) => path.join(folder, 'msgs', name))
  const blocks = await Promise.all(files.map(async (file) => ({ file, block: await readFile(file) })))
  return blocks.filter(({ block }) => block.length > 0)
}

/** Counts of records that a cut took from a stream. */
export interface CutAway {
  messages: number
  deletions: number
}

/** The place of a cut in the newest block: so many records before its end, or right behind the newest one with this text. */
export type CutAt = { records: number } | { behind: string }

/** Cuts the newest block of a folder back; where it is torn, a part of a record is left. */
export async function cutBack(folder: string, at: CutAt, isTorn: boolean): Promise<CutAway> {
  const newest = (await blocksIn(folder)).at(-1)
  if (newest === undefined) return { messages: 0, deletions: 0 }
  const lost = recordsBehind(newest.block, at)
  const first = lost[0]
  if (first === undefined) return { messages: 0, deletions: 0 }
  await truncate(newest.file, first.offset + (isTorn ? Math.floor(first.length / 2) : 0))
  const deletions = lost.filter(({ isDeletion }) => isDeletion).length
  return { messages: lost.length - deletions, deletions }
}

function recordsBehind(block: Buffer, at: CutAt): BlockRecord[] {
  const records = recordsOf(block)
  if ('records' in at) return records.slice(-at.records)
  const place = records.findLastIndex(({ offset, length }) =>
    block.subarray(offset, offset + length).includes(at.behind),
  )
  return place === -1 ? [] : records.slice(place + 1)
}

/** The parts of a stored stream that a bit can turn in. */
export const storedParts = ['messages', 'index', 'settings'] as const
export type StoredPart = (typeof storedParts)[number]

/** Turns bits of a part of a stream; returns the place of each, none where the server has no such file. */
export async function flipBits(
  folder: string,
  part: StoredPart,
  bits: number,
  random: Random,
): Promise<string[]> {
  const files = await filesOf(folder, part)
  if (files.length === 0) return []
  const places: string[] = []
  for (let count = 0; count < bits; count++) {
    const file = random.pick(files)
    const bytes = await readFile(file)
    const offset = random.between(0, bytes.length - 1)
    bytes.writeUInt8(bytes.readUInt8(offset) ^ (1 << random.between(0, 7)), offset)
    await writeFile(file, bytes)
    places.push(`${path.basename(file)}+${offset}/${bytes.length}`)
  }
  return places
}

async function filesOf(folder: string, part: StoredPart): Promise<string[]> {
  if (part === 'messages') return (await blocksIn(folder)).map(({ file }) => file)
  const names = part === 'index' ? ['msgs/index.db'] : ['meta.inf', 'meta.sum']
  return names.map((name) => path.join(folder, name)).filter((file) => existsSync(file))
}

/** Copies a store to another place, which is emptied before. */
export async function copyStore(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true })
  await cp(from, to, { recursive: true })
}
