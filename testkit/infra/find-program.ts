import { accessSync, constants, readdirSync } from 'node:fs'
import path from 'node:path'

/** The absolute paths under which a program is found: on PATH, then where Debian puts servers. */
export function findProgram(name: string): string[] {
  const onPath = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder))
  const folders = [...onPath, '/usr/sbin', '/usr/local/sbin', ...postgresFolders()]
  return [...new Set(folders)].map((folder) => path.join(folder, name)).filter(isProgram)
}

/** Whether a file may be run. */
export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function postgresFolders(): string[] {
  const parent = '/usr/lib/postgresql'
  try {
    const versions = readdirSync(parent).sort((a, b) => Number(b) - Number(a))
    return versions.map((version) => path.join(parent, version, 'bin'))
  } catch {
    return []
  }
}
