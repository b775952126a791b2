import { describe, expect, test } from '@jest/globals'
import { absolute, isGreater, isZero, negate } from '@tripline/proto/decimal'
import type { Command, MarketCommand, PositionSide } from '@tripline/proto/language/tree'
import { isLongRun } from '@tripline/testkit/seed'
import fc from 'fast-check'
import {
  cancel,
  type Death,
  type EntryWorld,
  entryWorld,
  type Running,
  reach,
  restingIn,
  runMessage,
  sideOf,
  store,
} from '../../../test/simulation/entry-world.ts'
import type { Side } from '../order/side.ts'
import type { CommandName } from './entry.ts'
import { reduces } from './position.ts'

const numRuns = isLongRun ? 20_000 : 400

const oneWay = [
  'market(buy, 100%)',
  'market(sell, 100%)',
  'market(buy, 30%)',
  'market(sell, 50%)',
  'limit(buy, 50%, 59000)',
  'limit(sell, 100%, 61000)',
  'stop(sell, 100%, 58000)',
  'stop(buy, 100%, 62000)',
  'oco { stop(sell, 100%, 58000); limit(sell, 100%, 62000) }',
  'oco { stop(buy, 100%, 62000); limit(buy, 100%, 58000) }',
  'sltp(sell, 100%, 58000, 62000)',
  'market(position=0)',
  'market(position=-0.1)',
  'market(sell, 20%b)',
  'market(buy, 10%a)',
  'market(sell, 0.05)',
  'market(buy, 0.02)',
  'market(buy, 100%); stop(sell, 100%, 58000)',
  'market(sell, 100%); oco { stop(buy, 100%, 62000); limit(buy, 100%, 58000) }',
  'market(position=0); market(sell, 100%)',
]
const hedge = ['long', 'short'].flatMap((side) =>
  [
    'market(buy, 100%, S)',
    'market(sell, 100%, S)',
    'market(sell, 50%, S)',
    'limit(sell, 100%, 61000, S)',
    'limit(buy, 50%, 59000, S)',
    'stop(sell, 100%, 58000, S)',
    'stop(buy, 100%, 62000, S)',
    'market(position=0, S)',
    'market(buy, 20%b, S)',
  ].map((text) => text.replaceAll('S)', `positionSide=${side})`)),
)

type Act =
  | { act: 'message'; text: string; death: Death | undefined }
  | { act: 'reach' | 'cancel'; which: number }
  | { act: 'by hand'; to: 'flat' | 'other side' | 'long'; side: PositionSide }
  | { act: 'store' }
  | { act: 'pass'; ms: number }

function isPossible({ behind, stored }: Death): boolean {
  return stored <= behind
}

function actsOf(texts: readonly string[], sides: readonly PositionSide[]): fc.Arbitrary<Act[]> {
  const death = fc.option(
    fc.constantFrom(
      ...[0, 1, 2].flatMap((behind) => [0, 1, 2].map((stored) => ({ behind, stored }))).filter(isPossible),
    ),
    { nil: undefined, freq: 3 },
  )
  const act: fc.Arbitrary<Act> = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ act: fc.constant('message' as const), text: fc.constantFrom(...texts), death }),
    },
    { weight: 3, arbitrary: fc.record({ act: fc.constant('reach' as const), which: fc.nat(9) }) },
    { weight: 1, arbitrary: fc.record({ act: fc.constant('cancel' as const), which: fc.nat(9) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        act: fc.constant('by hand' as const),
        to: fc.constantFrom('flat' as const, 'other side' as const, 'long' as const),
        side: fc.constantFrom(...sides),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ act: 'store' as const }) },
    {
      weight: 2,
      arbitrary: fc.record({ act: fc.constant('pass' as const), ms: fc.constantFrom(1, 60_000) }),
    },
  )
  return fc.array(act, { minLength: 3, maxLength: 25 })
}

/** The last order of the bot that opened or added, by what traded alone. */
interface Opened {
  side: Side
  /** The kind of order that closed it. */
  closedBy?: string
  /** The command that closed it, or found it closed as it wanted. */
  flatBy?: CommandName
  /** The exit that found nothing. */
  overBy?: CommandName
  /** Others traded since. */
  isTouched: boolean
}

/** Watches, and throws where an exit opens or turns, an entry is taken for an exit, or the reported reason is wrong. */
function judged(isHedged: boolean): {
  world: EntryWorld
  touch: (side: PositionSide) => void
  exits: () => number
} {
  const opened = new Map<PositionSide, Opened>()
  /** Sides that others traded on since the bot last traded after a look at the account. */
  const touched = new Set<PositionSide>()
  let exits = 0
  /** The entry that the command closes on that side; undefined where it is no entry's exit, or that is not known. */
  const exitOf = ({ by, command }: Running, positionSide: PositionSide): Opened | undefined => {
    const entry = opened.get(positionSide)
    if (entry === undefined || waits(positionSide) || !isPlainAgainst(command, positionSide, entry.side))
      return undefined
    const { overBy, flatBy } = entry
    if (overBy !== undefined && !isSame(overBy, by)) return undefined
    return flatBy?.executionId === by.executionId && flatBy.command < by.command ? undefined : entry
  }
  const change = (side: PositionSide, to: Partial<Opened>): void => {
    const entry = opened.get(side)
    if (entry !== undefined) opened.set(side, { ...entry, ...to })
  }
  const world = entryWorld(isHedged, {
    onPlaced: (running, plan, held) => {
      const entry = exitOf(running, plan.positionSide)
      if (entry === undefined) return
      expect([plan.reduceOnly, reduces(plan.side, held), sideOf(held)]).toEqual([true, true, entry.side])
      expect(isGreater(plan.quantity, absolute(held))).toBe(false)
    },
    onTraded: ({ by, plan, command, isOrphan }, before, after) => {
      const { positionSide, side, type } = plan
      const isTouched = touched.has(positionSide)
      const [{ amount, position } = {}] = legsOf(command)
      // Without a reading of the account it is not known what it met, where others may have traded before it.
      const isUnread = type !== 'market' || isOrphan || amount?.basis === 'base'
      const isBlind = isUnread && !(isOrphan && (amount?.basis === 'percent' || position !== undefined))
      if (!isUnread) touched.delete(positionSide)
      if (isTouched && isBlind && !plan.reduceOnly) opened.delete(positionSide)
      else if (sideOf(after) === side && !(reduces(side, before) && sideOf(before) === sideOf(after)))
        opened.set(positionSide, { side, isTouched: isTouched && (isOrphan || !isZero(before)) })
      else if (isZero(after))
        change(positionSide, { closedBy: type, ...(command.type === 'market' && { flatBy: by }) })
    },
    onDone: (running, { code, note }) => {
      const { by, command } = running
      for (const positionSide of positionSidesOf(command)) {
        if (code === 'N802' && 'position' in command) change(positionSide, { flatBy: by })
        if (code !== 'N804' || note.includes('there is no') || note.includes('nothing to close yet')) continue
        const entry = exitOf(running, positionSide)
        if (note.includes('before it opened no')) {
          expect(entry).toBeUndefined()
          const { flatBy, overBy = by } = opened.get(positionSide) ?? {}
          if (flatBy?.executionId === by.executionId) change(positionSide, { overBy })
          continue
        }
        if (opened.has(positionSide) && !waits(positionSide)) expect(entry).toBeDefined()
        if (entry?.isTouched === false) expect(note).toContain(wordsOf[entry.closedBy ?? ''] ?? 'never')
        exits++
        change(positionSide, { overBy: opened.get(positionSide)?.overBy ?? by })
      }
    },
  })
  const waits = (positionSide: PositionSide): boolean =>
    restingIn(world).some(({ plan }) => !plan.reduceOnly && plan.positionSide === positionSide)
  const touch = (side: PositionSide): void => {
    touched.add(side)
    change(side, { isTouched: true })
  }
  return { world, touch, exits: () => exits }
}

function positionSidesOf(command: Command): PositionSide[] {
  return legsOf(command).map(({ positionSide = 'both' }) => positionSide)
}

/** The part of a command that names amount and position. */
type Sized = Partial<Omit<MarketCommand, 'type'>>

function legsOf(command: Command): readonly Sized[] {
  return command.type === 'oneCancelsOther' ? command.legs : [command as Sized]
}

function isPlainAgainst(command: Command, positionSide: PositionSide, entrySide: Side): boolean {
  return legsOf(command).some(
    ({ side, amount, positionSide: addressed = 'both' }) =>
      amount?.basis === 'percent' && addressed === positionSide && side !== undefined && side !== entrySide,
  )
}

function isSame(one: CommandName, other: CommandName): boolean {
  return one.executionId === other.executionId && one.command === other.command
}

const wordsOf: Record<string, string> = {
  market: 'a market',
  stop: 'its stop',
  limit: 'its limit',
  takeProfit: 'its take profit',
}

type Judged = ReturnType<typeof judged>

function perform({ world, touch }: Judged, act: Act): void {
  world.now += 1
  const resting = restingIn(world)
  switch (act.act) {
    case 'message':
      runMessage(world, act.text, act.death)
      return
    case 'reach':
    case 'cancel': {
      const order = resting[act.which % (resting.length || 1)]
      if (order !== undefined) (act.act === 'reach' ? reach : cancel)(world, order)
      return
    }
    case 'by hand':
      world.held[act.side] = heldAfter(world.held[act.side], act)
      touch(act.side)
      return
    case 'store':
      store(world)
      return
    case 'pass':
      world.now += act.ms
  }
}

function heldAfter(held: string, { to, side }: Extract<Act, { act: 'by hand' }>): string {
  if (to === 'flat') return '0'
  if (to === 'other side') return side === 'both' ? negate(held) : held
  return side === 'short' ? '-0.2' : '0.2'
}

describe.each([
  ['the one position', oneWay, ['both'] as const],
  ['both positions of hedge mode', hedge, ['long', 'short'] as const],
])('of %s', (_name, texts, sides) => {
  test('no plain-% exit opens or turns, and the next one opens again, whatever fills, trades or dies between', () => {
    let exits = 0
    fc.assert(
      fc.property(actsOf(texts, sides), (acts) => {
        const run = judged(texts === hedge)
        for (const act of acts) perform(run, act)
        exits += run.exits()
      }),
      { numRuns },
    )
    expect(exits).toBeGreaterThan(numRuns / 40)
  }, 600_000)
})
