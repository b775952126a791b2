import { expect, test } from '@jest/globals'
import { type BusKind, busKinds, startBed } from '@tripline/testkit/bus-faults/bed'
import { type FaultName, faults } from '@tripline/testkit/bus-faults/faults'
import { openPeople, randomOfRound, runRound, violationsOf } from '@tripline/testkit/bus-faults/round'
import { closers as newClosers } from '@tripline/testkit/closers'
import { seed } from '@tripline/testkit/seed'

/** Strikes a product with each fault in turn; returns the violations, each with the blow it came from. */
async function strikeEach(kind: BusKind): Promise<string[]> {
  const closers = newClosers()
  try {
    const bed = await startBed(kind, closers)
    const people = await openPeople(bed)
    const violations: string[] = []
    for (const fault of Object.keys(faults) as FaultName[]) {
      const figures = await runRound(bed, people, fault, randomOfRound({ seed, round: 1, fault }))
      const found = violationsOf(figures)
      const blow = `${kind}, ${fault} (${figures.did})`
      const times = `whole after ${figures.wholeMs} ms, reported ${figures.reportedMs} ms later`
      process.stdout.write(`${blow}: ${times}, ${found.length} violations\n`)
      violations.push(...found.map((violation) => `${blow}: ${violation}`))
    }
    return violations
  } finally {
    await closers.close()
  }
}

test('each fault of the bus, on one server and on three: nothing doubled, nothing lost without a word', async () => {
  expect((await Promise.all(busKinds.map(strikeEach))).flat()).toEqual([])
}, 900_000)
