/** Whether `g` was the last key, so that the next one names a screen. */
export type ShortcutPhase = 'idle' | 'going'

/** A key that was pressed. */
export interface PressedKey {
  key: string
  /** With Ctrl or Cmd. */
  isCommand: boolean
  isAlt: boolean
  /** In a field or a dialog, where letters are not shortcuts. */
  isTyping: boolean
}

export type ShortcutAction = 'palette' | 'help' | 'write' | 'trading' | { path: string }

/** Returns the action of a key, and how the next one is read. */
export function readKey(
  state: ShortcutPhase,
  { key, isCommand, isAlt, isTyping }: PressedKey,
  letters: ReadonlyMap<string, string>,
): { next: ShortcutPhase; action?: ShortcutAction } {
  if (isCommand && !isAlt && key.toLowerCase() === 'k') return { next: 'idle', action: 'palette' }
  // Held before the key that it changes, Shift is a key of its own.
  if (key === 'Shift') return { next: state }
  if (isCommand || isAlt || isTyping) return { next: 'idle' }
  const path = state === 'going' ? letters.get(key) : undefined
  if (path !== undefined) return { next: 'idle', action: { path } }
  if (key === '?') return { next: 'idle', action: 'help' }
  if (key === 'm') return { next: 'idle', action: 'write' }
  if (key === 'p') return { next: 'idle', action: 'trading' }
  return { next: key === 'g' ? 'going' : 'idle' }
}
