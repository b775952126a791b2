import { useSyncExternalStore } from 'react'
import { storageKeys } from './storage-keys.ts'

/** Which colors statuses have: the usual ones, or those that everybody can distinguish. */
export type Palette = 'usual' | 'colour-blind'

const listeners = new Set<() => void>()

/** The palette in use; follows every change. */
export function usePalette(): Palette {
  return useSyncExternalStore(subscribe, currentPalette)
}

/** Changes the palette at once and for the next visits. */
export function choosePalette(palette: Palette): void {
  localStorage.setItem(storageKeys.palette, palette)
  applyStoredPalette()
  for (const listener of listeners) listener()
}

/** Draws statuses in the palette that was chosen at an earlier visit. */
export function applyStoredPalette(): void {
  document.documentElement.dataset['palette'] = currentPalette()
}

function currentPalette(): Palette {
  return localStorage.getItem(storageKeys.palette) === 'colour-blind' ? 'colour-blind' : 'usual'
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
