import path from 'node:path'

/** The repository. */
export const rootDir = path.resolve(import.meta.dirname, '..')

/** Tools that commands fetch for themselves; safe to delete at any time. */
export const toolsDir = path.join(rootDir, '.tools')

/** Returns the folder of the state of a product started here. */
export function dataFolder(): string {
  return path.resolve(rootDir, process.env['TRIPLINE_DATA'] ?? '.data')
}
