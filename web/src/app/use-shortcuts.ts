import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router-dom'
import { paths, writingState } from '../shared/paths.ts'
import { screens } from './screens.tsx'
import { readKey, type ShortcutPhase } from './shortcut.ts'

const letters = new Map(screens.map(({ letter, path }) => [letter, path]))

type ShortcutCall = 'onPalette' | 'onHelp' | 'onTrading'

/** Listens for the keys that work on every screen. */
export function useShortcuts({ onPalette, onHelp, onTrading }: Record<ShortcutCall, () => void>) {
  const navigate = useNavigate()
  const act = useEffectEvent((event: KeyboardEvent, state: ShortcutPhase): ShortcutPhase => {
    const { next, action } = readKey(state, keyOf(event), letters)
    if (action === undefined) return next
    event.preventDefault()
    if (action === 'palette') onPalette()
    else if (action === 'help') onHelp()
    else if (action === 'trading') onTrading()
    else if (action === 'write') void navigate(paths.terminal, { state: writingState })
    else void navigate(action.path)
    return next
  })
  useEffect(() => {
    let state: ShortcutPhase = 'idle'
    const listen = (event: KeyboardEvent) => {
      state = act(event, state)
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}

function keyOf(event: KeyboardEvent) {
  const { key, ctrlKey, metaKey, altKey, target } = event
  const isTyping =
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input, textarea, select, [role=dialog]') !== null)
  return { key, isCommand: ctrlKey || metaKey, isAlt: altKey, isTyping }
}
