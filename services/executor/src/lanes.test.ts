import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createLanes } from './lanes.ts'

interface Entry {
  key: string
  fails: boolean
  /** How often what runs has to wait for something. */
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
  /** What began and ended, in the order in which it did. */
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

  test('tell each entry what became of it, and go on behind one that failed', async () => {
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

describe('what runs in a lane and is long unknown', () => {
  /** Enters what runs until it is let go. */
  function held(lanes: ReturnType<typeof createLanes>, more: { isExit?: boolean; isAlone?: boolean } = {}) {
    const end = Promise.withResolvers<void>()
    const state = { hasStarted: false, letExitsPass: (): void => undefined }
    const entered = lanes.enter({ ...lane('a'), ...more }, async (turn) => {
      Object.assign(state, { hasStarted: true, letExitsPass: turn.letExitsPass })
      await end.promise
    })
    return { state, entered, end: end.resolve }
  }

  test('lets exits pass, one after the other, and nothing else', async () => {
    const lanes = createLanes()
    const unknown = held(lanes)
    const entry = held(lanes)
    const exit = held(lanes, { isExit: true })
    const next = held(lanes, { isExit: true })
    const started = () => [entry, exit, next].map(({ state }) => state.hasStarted)
    expect(started()).toEqual([false, false, false])
    unknown.state.letExitsPass()
    await Promise.resolve()
    expect(started()).toEqual([false, true, false])
    exit.end()
    await exit.entered
    await Promise.resolve()
    expect(started()).toEqual([false, true, true])
    next.end()
    unknown.end()
    await Promise.all([unknown.entered, next.entered])
    await Promise.resolve()
    expect(entry.state.hasStarted).toBe(true)
    entry.end()
    await entry.entered
  })

  test('leaves what changes the whole account to its turn, and that runs alone', async () => {
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
})
