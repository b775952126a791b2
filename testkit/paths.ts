import path from 'node:path'

/** The repository. */
export const rootDir = path.resolve(import.meta.dirname, '..')

/** What commands fetch for themselves; safe to delete at any time. */
export const toolsDir = path.join(rootDir, '.tools')

/** Where a product started here keeps its state. */
export function dataFolder(): string {
  return path.resolve(rootDir, process.env['TRIPLINE_DATA'] ?? '.data')
}
