import { describe, expect, test } from '@jest/globals'
import { isGoingAfter, rowActionOf } from './row-key.ts'

/** Returns the actions of these keys, pressed one after the other. */
function actionsOf(keys: readonly string[], isInRow = false) {
  let isGoing = false
  return keys.map((key) => {
    const action = rowActionOf({ key, isGoing, isInRow })
    isGoing = isGoingAfter(key, isGoing)
    return action
  })
}

describe('a key of the list', () => {
  test('moves, opens all and copies', () => {
    expect(actionsOf(['j', 'k', 'e', 'c'])).toEqual(['next', 'before', 'all', 'copy'])
  })

  test('may be an arrow from row to row, which else scrolls', () => {
    expect(actionsOf(['ArrowDown', 'ArrowUp'], true)).toEqual(['next', 'before'])
    expect(actionsOf(['ArrowDown', 'ArrowUp'])).toEqual([undefined, undefined])
  })

  test('is none behind the g that goes to a screen, and one again after that', () => {
    expect(actionsOf(['g', 'e', 'e'])).toEqual([undefined, undefined, 'all'])
    expect(actionsOf(['g', 'Shift', 'e'])).toEqual([undefined, undefined, undefined])
  })
})
