import { describe, expect, test } from '@jest/globals'
import type { EntryNote } from '@tripline/proto/entry-note'
import type { ExecutionId } from '@tripline/proto/id'
import { type CommandName, type EntriesBySide, lastEntriesIn, noted, withoutOver } from './entry.ts'

const command = (execution: string, index = 0): CommandName => ({
  executionId: execution as ExecutionId,
  command: index,
})
const late = 1_000_000

type OrderNote = Extract<EntryNote, { of: 'order' }>

/** An order on the one position that traded at once, with what differs. */
function traded(
  side: 'buy' | 'sell',
  filled: string,
  at: number,
  differing: Partial<OrderNote> = {},
): OrderNote {
  return {
    of: 'order',
    ...{ positionSide: 'both', at, clientOrderId: `${side} at ${at}`, side, quantity: filled, filled },
    ...{ reduceOnly: false, rests: false, isAtOnce: true, how: `a market ${side}`, ...differing },
  }
}

const rested = (side: 'buy' | 'sell', at: number, differing: Partial<OrderNote> = {}): OrderNote =>
  traded(side, '0', at, { quantity: '3', rests: true, isAtOnce: false, ...differing })

/** The stop or the profit of a position, as its watch reports it. */
const closing = (side: 'buy' | 'sell', filled: string, at: number, how: string): OrderNote =>
  traded(side, filled, at, { reduceOnly: true, isAtOnce: false, how })

function after(...notes: (readonly [CommandName, EntryNote])[]): EntriesBySide {
  return notes.reduce((entries, [by, note]) => noted(entries, by, note), {} as EntriesBySide)
}

function lastOf(entries: EntriesBySide, me: CommandName = command('me')) {
  return lastEntriesIn(entries, me, late).both
}

const bought = [command('a'), traded('buy', '1', 1)] as const
const nothing = (at: number): EntryNote => ({ of: 'nothing', positionSide: 'both', at })

describe('an entry', () => {
  test('is the last order that opened or added', () => {
    expect(lastOf(after(bought))).toEqual({ side: 'buy', rests: false, isFresh: false })
    expect(lastOf(after(bought, [command('b'), traded('sell', '0.5', 2)]))?.side).toBe('buy')
  })

  test('is the order that rested where there was no position, whatever was known of an entry before', () => {
    const order = { clientOrderId: 'b', quantity: '1' }
    const placed = rested('sell', 6, { ...order, held: '0' })
    const filled = traded('sell', '1', 9, { ...order, isAtOnce: false })
    const entries = after(bought, [command('b'), placed], [command('b'), filled])
    expect(lastOf(entries)).toMatchObject({ side: 'sell', rests: false })
  })

  test('is the order that turned the position', () => {
    expect(lastOf(after(bought, [command('b'), traded('sell', '1.5', 2)]))?.side).toBe('sell')
    expect(lastOf(after(bought, [command('b'), traded('sell', '1.5', 2, { held: '2' })]))?.side).toBe('buy')
  })

  test('that filled nothing and is gone is none', () => {
    expect(lastOf(after([command('a'), traded('buy', '0', 1)]))).toBeUndefined()
    const resting = after(bought, [command('b'), rested('sell', 2)])
    expect(lastOf(resting)).toMatchObject({
      ...{ side: 'sell', rests: true },
      waiting: { order: 'sell at 2', before: { side: 'buy', rests: false } },
    })
    const ended: EntryNote = { of: 'ended', at: 3, clientOrderId: 'sell at 2', filled: '0' }
    expect(lastOf(noted(resting, command('c'), ended))?.side).toBe('buy')
  })

  test('that rested and filled is one from then on', () => {
    const resting = after(bought, [command('b'), rested('sell', 2)])
    const filled = rested('sell', 5, { clientOrderId: 'sell at 2', rests: false, filled: '3', quantity: '3' })
    const reported = noted(resting, command('b'), filled)
    expect(lastOf(reported)).toMatchObject({ side: 'sell', rests: false })
    expect(noted(reported, command('b'), filled)).toBe(reported)
  })

  test('that rests is over for the commands behind it in a block that closes the position, and for no others', () => {
    const adds = [command('b'), rested('buy', 2)] as const
    const closed = [command('c'), traded('sell', '1', 3, { reduceOnly: true })] as const
    const flat = [command('c'), { of: 'flat', positionSide: 'both', at: 3 }] as const
    const entries = after(bought, adds, closed, flat)
    expect(lastOf(entries, command('c', 1))).toBeUndefined()
    expect(lastOf(entries, command('d'))).toMatchObject({ side: 'buy', rests: true })
    const later = [command('c', 1), rested('sell', 4, { clientOrderId: 'later', held: '0' })] as const
    expect(lastOf(after(bought, adds, closed, flat, later), command('c', 2))).toMatchObject({ side: 'sell' })
  })

  test('is fresh for its own block and while readings may lag', () => {
    expect(lastEntriesIn(after(bought), command('a', 1), late).both?.isFresh).toBe(true)
    expect(lastEntriesIn(after(bought), command('b'), 1000).both?.isFresh).toBe(true)
  })

  test('is of one position in hedge mode', () => {
    const entries = after(
      [command('a'), traded('buy', '1', 1, { positionSide: 'long' })],
      [command('b'), traded('sell', '1', 2, { positionSide: 'short' })],
      [command('c'), traded('sell', '1', 3, { positionSide: 'long', how: 'a market sell' })],
    )
    expect(lastEntriesIn(entries, command('me'), late)).toMatchObject({
      long: { side: 'buy', closed: { how: 'a market sell' } },
      short: { side: 'sell' },
    })
  })
})

describe('an entry of hedge mode', () => {
  const hedged = [command('a'), traded('buy', '1', 1, { positionSide: 'long' })] as const
  const stopped = [
    command('a', 1),
    { ...closing('sell', '1', 2, 'its stop at 58000'), positionSide: 'long' },
  ] as const

  test('is the last one in one-way mode too, until its exit found nothing left', () => {
    const entries = after(hedged, stopped)
    expect(lastOf(entries)).toMatchObject({ side: 'buy', closed: { how: 'its stop at 58000' } })
    expect(lastOf(noted(entries, command('b'), nothing(3)), command('c'))).toBeUndefined()
  })

  test('is none once another came in one-way mode, though that is over', () => {
    const entries = after(hedged, stopped, [command('b'), traded('sell', '1', 3)])
    expect(lastOf(entries)?.side).toBe('sell')
    expect(lastOf(noted(entries, command('c'), nothing(4)), command('d'))).toBeUndefined()
  })
})

describe('the order that closed a position', () => {
  test('is the order that took the last of it', () => {
    const half = after(bought, [command('a', 1), closing('sell', '0.5', 2, 'its take profit at 62000')])
    expect(lastOf(half)?.closed).toBeUndefined()
    const all = noted(half, command('a', 2), closing('sell', '0.5', 3, 'its stop at 58000'))
    expect(lastOf(all)?.closed).toEqual({ how: 'its stop at 58000', at: 3 })
  })

  test('is not known where orders of ours took less', () => {
    expect(
      lastOf(after(bought, [command('a', 1), closing('sell', '0.9', 2, 'its stop')]))?.closed,
    ).toBeUndefined()
  })

  test('is counted once, however often it is reported', () => {
    const reported = [command('a', 1), closing('sell', '0.5', 2, 'its stop')] as const
    const entries = after(bought, reported)
    expect(noted(entries, ...reported)).toBe(entries)
  })

  test('is not the one that closed a former position', () => {
    const again = after(
      bought,
      [command('a', 1), closing('sell', '1', 2, 'its stop')],
      [command('b'), traded('buy', '1', 3)],
    )
    expect(lastOf(again)?.closed).toBeUndefined()
    expect(noted(again, command('a', 1), closing('sell', '1', 2, 'its stop'))).toBe(again)
  })

  test('stays countable where many orders take a little', () => {
    const parts = Array.from({ length: 50 }, (_none, index) =>
      closing('sell', '0.02', index + 2, `part ${index}`),
    )
    const entries = parts.reduce((all, part) => noted(all, command('a'), part), after(bought))
    expect(lastOf(entries)?.closed?.how).toBe('part 49')
    expect(Object.keys(entries.both?.[0]?.exits ?? {}).length).toBeLessThan(25)
  })
})

test('an entry whose exit found nothing left is not over for another block of the alert', () => {
  const entries = after(bought, [command('alert-0'), nothing(5)])
  expect(lastOf(entries, command('alert-1'))?.side).toBe('buy')
  expect(lastOf(entries, command('other-1'))).toBeUndefined()
})

describe('an entry is over', () => {
  const over = after(bought, [command('exit'), nothing(5)])

  test('once an exit found nothing of it, but for that exit itself and the commands of its block', () => {
    expect(lastOf(over)).toBeUndefined()
    expect(lastOf(over, command('exit'))?.side).toBe('buy')
    expect(lastOf(over, command('exit', 1))?.side).toBe('buy')
    expect(lastOf(over, command('later'))).toBeUndefined()
  })

  test('and stays so when earlier events are reported again', () => {
    expect(lastOf(noted(over, ...bought))).toBeUndefined()
    expect(lastOf(noted(over, command('other'), nothing(6)), command('exit'))?.side).toBe('buy')
  })

  test('and a new one is not', () => {
    const again = noted(over, command('b'), traded('buy', '1', 6))
    expect(lastOf(again)?.side).toBe('buy')
    expect(noted(again, command('exit'), nothing(5))).toBe(again)
  })

  test('for the commands behind it in the block that closed it', () => {
    const closed = noted(after(bought), command('b', 0), traded('sell', '1', 2))
    expect(lastOf(closed, command('b', 1))).toBeUndefined()
    expect(lastOf(closed, command('b', 0))?.side).toBe('buy')
    expect(lastOf(closed)).toMatchObject({ side: 'buy', closed: { how: 'a market sell' } })
    const wanted = noted(after(bought), command('b', 0), { of: 'flat', positionSide: 'both', at: 2 })
    expect(lastOf(wanted, command('b', 1))).toBeUndefined()
    expect(lastOf(wanted)?.side).toBe('buy')
  })

  test('not for the commands behind it in the block whose stop closed it', () => {
    const stopped = noted(after(bought), command('a', 1), closing('sell', '1', 2, 'its stop'))
    expect(lastOf(stopped, command('a', 3))?.side).toBe('buy')
  })

  test('and forgotten some time later', () => {
    expect(withoutOver(over, 5)).toEqual(over)
    expect(withoutOver(over, 6)).toEqual({})
  })
})

test('an entry of which a version before knew the side alone is closed by any order that takes something of it', () => {
  const entries = noted({ both: [{ side: 'buy', at: 0 }] }, command('a'), closing('sell', '1', 2, 'its stop'))
  expect(lastOf(entries)).toMatchObject({ side: 'buy', closed: { how: 'its stop' } })
})
