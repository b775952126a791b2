import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals'
import { isLongRun } from '@tripline/testkit/seed'
import fc from 'fast-check'
import { type Drift, onDrift } from '../src/venue/read/drift.ts'
import { calledIn, callsOf, fewFormed } from './corpus/calls.ts'
import { mutantsOf } from './corpus/mutants.ts'
import { recordingsIn } from './corpus/recording.ts'
import { isDecidedOn, type Replayers, replayers } from './corpus/replayers.ts'

const recordings = await recordingsIn(fileURLToPath(new URL('./corpus', import.meta.url)))

let all: Replayers
const drifts: Drift[] = []
const stopListening = onDrift((drift) => drifts.push(drift))
beforeAll(() => {
  all = replayers()
})
beforeEach(() => void drifts.splice(0))
afterAll(async () => {
  stopListening()
  await all.stop()
})

test.each(recordings)('$name is read in the way of production', async ({ name: _name, ...recording }) => {
  const { isRead, value } = await all.replay(recording)
  expect({ isRead, value, drifts }).toMatchObject({ isRead: true, drifts: [] })
  if (recording.expected !== undefined) expect({ value }).toMatchObject({ value: recording.expected })
})

const calls = Object.entries(callsOf).flatMap(([venue, all]) => all.map((call) => [venue, call] as const))

test.each(calls)('there are recordings of all forms in which %s sends %s', (venue, call) => {
  const held = recordings.filter((recording) => recording.venue === venue && calledIn(recording) === call)
  expect(held.length).toBeGreaterThanOrEqual(fewFormed.has(call) ? 1 : 3)
})

test('no recording is of a call that nobody makes', () => {
  const unasked = recordings.filter((recording) => !callsOf[recording.venue].includes(calledIn(recording)))
  expect(unasked).toEqual([])
})

const mutants = recordings.flatMap(({ name, ...recording }) =>
  mutantsOf(recording).map((mutant) => ({ name, ...mutant })),
)
/** Of each kind of change; words of a list that the venue may add to are rare among all. */
const mostMutants = 100
if (isLongRun) jest.setTimeout(1_800_000)

test('nothing that is not decided on makes an answer or an event unreadable', async () => {
  const harmless = mutants.filter((mutant) => !isDecidedOn(mutant))
  const kinds = [...Map.groupBy(harmless, ({ change }) => change).values()]
  const some = kinds.flatMap((kind) => fc.sample(fc.constantFrom(...kind), mostMutants))
  const tried = isLongRun ? harmless : some
  const unread: string[] = []
  for (const { name, field, change, recording } of tried) {
    const { isRead, value } = await all.replay(recording)
    if (!isRead) unread.push(`${name}: ${field} ${change}: ${JSON.stringify(value)}`)
  }
  expect(unread).toEqual([])
})
