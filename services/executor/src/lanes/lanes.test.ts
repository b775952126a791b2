import { describe, expect, test } from '@jest/globals'
import { waitFor } from '@tripline/testkit/wait-for'
import fc from 'fast-check'
import { allExits, type ExitKind } from '../domain/execution/lane-use.ts'
import { createLanes, type Entrant } from './lanes.ts'

interface Entry {
  key: string
  fails: boolean
  /** Number of waits of an entry while it runs. */
  waits: number
}

const entries = fc.array(
  fc.record({
    key: fc.constantFrom('a', 'b', 'c'),
    fails: fc.boolean(),
    waits: fc.integer({ min: 0, max: 3 }),
  }),
  { minLength: 1, maxLength: 12 },
)

const lane = (market: string) => ({ account: 'account', market })

interface Ran {
  /** Starts and ends, in the order in which they came. */
  journal: { index: number; does: 'start' | 'end' }[]
  outcomes: PromiseSettledResult<number>[]
}

/** Enters all in their order; the scheduler decides whose wait is over when. */
async function enterAll(scheduler: fc.Scheduler, all: Entry[]): Promise<Ran> {
  const lanes = createLanes()
  const journal: Ran['journal'] = []
  const run = async ({ fails, waits }: Entry, index: number): Promise<number> => {
    journal.push({ index, does: 'start' })
    for (let wait = 0; wait < waits; wait++) await scheduler.schedule(Promise.resolve())
    journal.push({ index, does: 'end' })
    if (fails) throw new Error(`${index}`)
    return index
  }
  const entered = all.map(
    async (entry, index) => await lanes.enter(lane(entry.key), async () => run(entry, index)),
  )
  const outcomes = Promise.allSettled(entered)
  await scheduler.waitFor(outcomes)
  return { journal, outcomes: await outcomes }
}

describe('lanes', () => {
  test('run what enters one lane in its order and never two at once, whatever takes how long', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), entries, async (scheduler, all) => {
        const { journal } = await enterAll(scheduler, all)
        for (const key of ['a', 'b', 'c']) {
          const ofLane = journal.filter(({ index }) => all[index]?.key === key)
          const inTurn = all.flatMap((entry, index) =>
            entry.key === key ? (['start', 'end'] as const).map((does) => ({ index, does })) : [],
          )
          expect(ofLane).toEqual(inTurn)
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('return each entry its result, and go on behind one that failed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), entries, async (scheduler, all) => {
        const { outcomes } = await enterAll(scheduler, all)
        expect(outcomes.map(({ status }) => status)).toEqual(
          all.map(({ fails }) => (fails ? 'rejected' : 'fulfilled')),
        )
      }),
    )
  })

  test('do not wait for each other', async () => {
    const lanes = createLanes()
    const never = lanes.enter(lane('a'), async () => await new Promise<never>(() => undefined))
    const behind = lanes.enter(lane('a'), async () => 'behind')
    expect(await lanes.enter(lane('b'), async () => 'beside')).toBe('beside')
    expect(await Promise.race([never, behind, Promise.resolve('still waiting')])).toBe('still waiting')
  })

  test('start at once where nothing is ahead', async () => {
    const lanes = createLanes()
    const started: string[] = []
    const first = lanes.enter(lane('a'), async () => void started.push('first'))
    expect(started).toEqual(['first'])
    await first
    const second = lanes.enter(lane('a'), async () => void started.push('second'))
    expect(started).toEqual(['first', 'second'])
    await second
  })

  test('start at once again behind one that failed', async () => {
    const lanes = createLanes()
    await expect(
      lanes.enter(lane('a'), async () => await Promise.reject(new Error('fault'))),
    ).rejects.toThrow('fault')
    const started: string[] = []
    const next = lanes.enter(lane('a'), async () => void started.push('next'))
    expect(started).toEqual(['next'])
    await next
  })
})

describe('a run in a lane that lets exits pass', () => {
  /** Enters a run that lasts until it is released. */
  function held(
    lanes: ReturnType<typeof createLanes>,
    more: Pick<Entrant, 'exit' | 'isAlone' | 'isUnsent'> = {},
  ) {
    const end = Promise.withResolvers<void>()
    const state = {
      hasStarted: false,
      isOver: false,
      isOvertaken: () => false,
      letExitsPass: (_kinds: readonly ExitKind[], _mayBeOvertaken?: boolean): void => undefined,
    }
    const entered = lanes.enter({ ...lane('a'), ...more }, async (turn) => {
      Object.assign(state, { hasStarted: true, ...turn })
      await end.promise
    })
    return { state, entered, end: end.resolve }
  }

  test('is passed by them one after the other, but none passes an entry that waits', async () => {
    const lanes = createLanes()
    const unknown = held(lanes)
    const exit = held(lanes, { exit: 'atOnce' })
    const next = held(lanes, { exit: 'resting' })
    const entry = held(lanes)
    const last = held(lanes, { exit: 'atOnce' })
    const started = () => [exit, next, entry, last].map(({ state }) => state.hasStarted)
    expect(started()).toEqual([false, false, false, false])
    unknown.state.letExitsPass(allExits)
    await Promise.resolve()
    expect(started()).toEqual([true, false, false, false])
    exit.end()
    await exit.entered
    await Promise.resolve()
    expect(started()).toEqual([true, true, false, false])
    next.end()
    await next.entered
    await Promise.resolve()
    expect(started()).toEqual([true, true, false, false])
    unknown.end()
    await unknown.entered
    await Promise.resolve()
    expect(started()).toEqual([true, true, true, false])
    entry.end()
    await entry.entered
    await Promise.resolve()
    expect(started()).toEqual([true, true, true, true])
    last.end()
    await last.entered
  })

  test('is passed by the kinds it names only, and by none past one of another kind', async () => {
    const lanes = createLanes()
    const cancel = held(lanes, { exit: 'ending' })
    const first = held(lanes, { exit: 'atOnce' })
    const stop = held(lanes, { exit: 'resting' })
    const second = held(lanes, { exit: 'atOnce' })
    const started = () => [first, stop, second].map(({ state }) => state.hasStarted)
    cancel.state.letExitsPass(['atOnce', 'ending'])
    await Promise.resolve()
    expect(started()).toEqual([true, false, false])
    first.end()
    await first.entered
    await Promise.resolve()
    expect(started()).toEqual([true, false, false])
    cancel.state.letExitsPass([])
    cancel.end()
    await cancel.entered
    await Promise.resolve()
    expect(started()).toEqual([true, true, false])
    stop.end()
    second.end()
    await Promise.all([stop.entered, second.entered])
  })

  test('is passed by nothing any more once it says so', async () => {
    const lanes = createLanes()
    const unknown = held(lanes)
    unknown.state.letExitsPass(allExits)
    unknown.state.letExitsPass([])
    const exit = held(lanes, { exit: 'atOnce' })
    await Promise.resolve()
    expect(exit.state.hasStarted).toBe(false)
    unknown.end()
    await unknown.entered
    exit.end()
    await exit.entered
  })

  test('is overtaken by an exit that waited long, which ends all that waits unsent before it', async () => {
    const lanes = createLanes(undefined, 20)
    const stuck = held(lanes)
    const cancel = held(lanes, { exit: 'ending' })
    const entry = held(lanes, { isUnsent: true })
    const exit = held(lanes, { exit: 'atOnce' })
    const behind = held(lanes, { isUnsent: true })
    stuck.state.letExitsPass([], true)
    expect([entry.state.hasStarted, exit.state.hasStarted]).toEqual([false, false])
    await waitFor(() => entry.state.hasStarted)
    expect([entry.state.isOver, exit.state.hasStarted, cancel.state.hasStarted]).toEqual([true, false, false])
    expect(stuck.state.isOvertaken()).toBe(true)
    entry.end()
    await entry.entered
    await Promise.resolve()
    expect([exit.state.hasStarted, cancel.state.hasStarted, behind.state.hasStarted]).toEqual([
      true,
      false,
      false,
    ])
    for (const each of [exit, stuck, cancel, behind]) each.end()
    await behind.entered
    expect([behind.state.isOver, behind.state.isOvertaken()]).toEqual([false, false])
  })

  test('is not overtaken while its request may just be arriving', async () => {
    const lanes = createLanes(undefined, 20)
    const sending = held(lanes)
    const exit = held(lanes, { exit: 'atOnce' })
    await waitFor(() => sending.state.isOvertaken())
    expect(exit.state.hasStarted).toBe(false)
    sending.state.letExitsPass(allExits)
    await Promise.resolve()
    expect(exit.state.hasStarted).toBe(true)
    for (const each of [exit, sending]) each.end()
    await sending.entered
  })

  test('is not overtaken by a stop or a cancel, and one that may have been sent is passed and not ended', async () => {
    const lanes = createLanes(undefined, 20)
    const stuck = held(lanes)
    const inherited = held(lanes)
    const stop = held(lanes, { exit: 'resting' })
    const exit = held(lanes, { exit: 'atOnce' })
    stuck.state.letExitsPass([], true)
    await waitFor(() => exit.state.hasStarted)
    expect([inherited.state.hasStarted, stop.state.hasStarted]).toEqual([false, false])
    for (const each of [stuck, inherited, stop, exit]) each.end()
    await stop.entered
    expect([inherited.state.isOver, inherited.state.isOvertaken()]).toEqual([false, true])
  })

  test('leaves a change of the whole account to its turn, and that runs alone', async () => {
    const lanes = createLanes()
    const first = held(lanes)
    const alone = held(lanes, { isAlone: true })
    const other = lanes.enter({ account: 'account', market: 'b' }, async () => 'behind')
    const elsewhere = await lanes.enter({ account: 'another', market: 'b' }, async () => 'beside')
    expect([elsewhere, alone.state.hasStarted]).toEqual(['beside', false])
    first.end()
    await first.entered
    await Promise.resolve()
    expect(alone.state.hasStarted).toBe(true)
    expect(await Promise.race([other, Promise.resolve('waits')])).toBe('waits')
    alone.end()
    expect(await other).toBe('behind')
  })

  test('an exit overtakes nothing before it is known that the order of the lane is broken', async () => {
    const lanes = createLanes(undefined, 0)
    const broken = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    const begun: string[] = []
    const end = Promise.withResolvers<void>()
    const enter = async (name: string, entrant: Omit<Entrant, 'account'>): Promise<void> =>
      await lanes.enter({ account: 'account', ...entrant }, async () => {
        begun.push(name)
        await end.promise
      })
    const breakOrder = async (): Promise<void> => {
      asked.resolve()
      await broken.promise
    }
    const all = [
      enter('another market', { market: 'b' }),
      enter('settings of a backlog', { market: 'a', isAlone: true }),
      enter('exit', { market: 'a', exit: 'atOnce', breakOrder }),
    ]
    await asked.promise
    expect(begun).toEqual(['another market'])
    broken.resolve()
    await waitFor(() => begun.includes('exit'))
    expect(begun).toEqual(['another market', 'exit'])
    end.resolve()
    await Promise.all(all)
  })

  test('an exit that passes an entry runs once it is known of that one, which opens nothing from its passing on', async () => {
    const lanes = createLanes()
    const known = Promise.withResolvers<void>()
    const reported: string[][] = []
    const end = Promise.withResolvers<void>()
    let mayOpen = true
    let hasRun = false
    const pass = Promise.withResolvers<void>()
    const entry = lanes.enter({ ...lane('a'), name: 'entry' }, async ({ letExitsPass, isOvertaken }) => {
      await pass.promise
      letExitsPass(allExits)
      mayOpen = !isOvertaken()
      await end.promise
    })
    const breakOrder = async (overtaken: readonly string[]): Promise<void> => {
      reported.push([...overtaken])
      await known.promise
    }
    const exit = lanes.enter({ ...lane('a'), exit: 'atOnce', breakOrder }, async () => {
      hasRun = true
    })
    pass.resolve()
    await waitFor(() => reported.length > 0)
    expect([reported, mayOpen, hasRun]).toEqual([[['entry']], false, false])
    known.resolve()
    await exit
    expect(hasRun).toBe(true)
    end.resolve()
    await entry
  })
})
