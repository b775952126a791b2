import { describe, expect, test } from '@jest/globals'
import { readKey, type ShortcutAction, type ShortcutPhase } from './shortcut.ts'

const letters = new Map([['t', '/terminal']])
const plain = { isCommand: false, isAlt: false, isTyping: false }

function press(...keys: (string | Partial<Parameters<typeof readKey>[1]>)[]) {
  let state: ShortcutPhase = 'idle'
  const actions: ShortcutAction[] = []
  for (const pressed of keys) {
    const key = typeof pressed === 'string' ? { key: pressed } : pressed
    const { next, action } = readKey(state, { key: '', ...plain, ...key }, letters)
    if (action) actions.push(action)
    state = next
  }
  return actions
}

describe('the keys that work on every screen', () => {
  test('go to a screen by g and its letter', () => {
    expect(press('g', 't')).toEqual([{ path: '/terminal' }])
    expect(press('g', 'x', 't')).toEqual([])
    expect(press('t')).toEqual([])
  })

  test('open the palette, also while somebody types', () => {
    expect(press({ key: 'k', isCommand: true, isTyping: true })).toEqual(['palette'])
    expect(press({ key: 'K', isCommand: true })).toEqual(['palette'])
    expect(press('k')).toEqual([])
  })

  test('open the list of shortcuts', () => {
    expect(press('Shift', '?')).toEqual(['help'])
  })

  test('go to the message in the terminal', () => {
    expect(press('m')).toEqual(['write'])
    expect(press({ key: 'm', isTyping: true })).toEqual([])
  })

  test('ask whether to pause or to resume trading', () => {
    expect(press('p')).toEqual(['trading'])
    expect(press({ key: 'p', isTyping: true }, { key: 'p', isCommand: true })).toEqual([])
  })

  test('do nothing while somebody types or holds another key', () => {
    expect(press({ key: '?', isTyping: true })).toEqual([])
    expect(press('g', { key: 't', isTyping: true })).toEqual([])
    expect(press('g', { key: 't', isAlt: true })).toEqual([])
  })
})
