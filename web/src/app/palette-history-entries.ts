import { diagnosticCodes } from '@tripline/proto/error-code'
import { manualPath, paths } from '../shared/paths.ts'
import { texts } from '../shared/texts.ts'
import type { PaletteEntry } from './palette-entries.ts'

const { palette } = texts

type Go = (path: string) => void

/** Entries that lead to the executions of these symbols. */
export function symbolEntries(symbols: readonly string[], go: Go): PaletteEntry[] {
  return symbols.map((symbol) => ({
    id: `symbol ${symbol}`,
    group: 'symbol',
    title: palette.historyOf(symbol),
    run: () => go(historyPath({ symbol })),
  }))
}

/** Entries that lead to the executions that an error of the catalog ended, and to each code in the manual. */
export function codeEntries(go: Go): PaletteEntry[] {
  return Object.entries(diagnosticCodes).flatMap(([code, title]): PaletteEntry[] => {
    const ended: PaletteEntry = {
      id: `code ${code}`,
      group: 'code',
      title: palette.code(code, title),
      run: () => go(historyPath({ search: code })),
    }
    const explained: PaletteEntry = {
      id: `manual ${code}`,
      group: 'code',
      title: palette.codeInManual(code, title),
      run: () => go(manualPath(code)),
    }
    return code.startsWith('E') ? [ended, explained] : [explained]
  })
}

/** The entry that searches the history for what is typed: an id, or a part of a message. */
export function searchEntry(search: string, go: Go): PaletteEntry[] {
  const text = search.trim()
  if (text === '') return []
  const run = () => go(historyPath({ search: text }))
  return [{ id: 'search', group: 'history', title: palette.searchHistory(text), run }]
}

function historyPath(query: Record<string, string>): string {
  return `${paths.executions}?${new URLSearchParams(query)}`
}
