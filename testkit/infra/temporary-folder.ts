import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A new folder that other users may enter, and its removal. */
export async function temporaryFolder(): Promise<{ folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tripline-'))
  // PostgreSQL does not run as root, so its user has to reach a folder inside.
  await chmod(folder, 0o755)
  return { folder, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }) }
}
