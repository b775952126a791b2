import { statfsSync } from 'node:fs'

/** Below this PostgreSQL may not find the room for its next file. */
const leastRoomBytes = 20 * 1024 * 1024

/** Whether the disk of a folder has room for what servers write; a folder that cannot be read has. */
export function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= leastRoomBytes
  } catch {
    return true
  }
}
