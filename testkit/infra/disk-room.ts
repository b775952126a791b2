import { statfsSync } from 'node:fs'

/** Below this PostgreSQL may not find the room for its next file. */
const leastRoomBytes = 20 * 1024 * 1024

/** Returns whether the disk of a folder has room for what servers write; true for a folder that cannot be read. */
export function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= leastRoomBytes
  } catch {
    return true
  }
}
