import { useSyncExternalStore } from 'react'
import { storageKeys } from './storage-keys.ts'

export type Theme = 'dark' | 'light'

const listeners = new Set<() => void>()

/** The theme in use, dark unless the person chose otherwise; follows every change. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, currentTheme, () => 'dark')
}

/** Changes the theme at once and for the next visits. */
export function chooseTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme
  localStorage.setItem(storageKeys.theme, theme)
  for (const listener of listeners) listener()
}

// The page's first script reads the stored choice into this attribute before anything is painted.
function currentTheme(): Theme {
  return document.documentElement.dataset['theme'] === 'light' ? 'light' : 'dark'
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
