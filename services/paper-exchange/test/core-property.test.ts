import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { begin, PLOTS, type Plot, perform, type Scene, SEED, type Step } from './core-plot.ts'
import { expectSound, newVenue, totals, usdt, watch } from './core-rig.ts'

// Returns the money that a reset brings into the venue and takes out of it, which is no gain or loss of anybody's.
function broughtBy(scene: Scene, it: Step): (asset: string) => bigint {
  if (it.kind !== 'reset') return () => 0n
  const own = scene.entries[it.trader]?.account.balances
  return (asset) => (asset === 'USDT' ? usdt(20_000) : 0n) - (own?.get(asset) ?? 0n)
}

function play(plot: Plot, steps: readonly Step[]): number {
  const scene = begin(plot, newVenue())
  const checkStory = watch(scene.exchange)
  let before = totals(scene.exchange)
  for (const it of steps) {
    const brought = broughtBy(scene, it)
    perform(scene, it)
    const after = totals(scene.exchange)
    for (const asset of ['USDT', 'BTC']) {
      if ((after[asset] ?? 0n) !== (before[asset] ?? 0n) + brought(asset))
        throw new Error(`${asset} was made or lost`)
    }
    expectSound(scene.exchange)
    before = after
  }
  checkStory()
  return scene.entries.flatMap(({ fillsByMarket }) => [...fillsByMarket.values()].flat()).length
}

test.each(Object.entries(PLOTS))(
  `value is conserved and the books are true: %s (seed ${SEED})`,
  (_name, plot) => {
    let fills = 0
    fc.assert(
      fc.property(fc.array(plot.step, { minLength: 4, maxLength: 16 }), (steps) => {
        fills += play(plot, steps)
      }),
      { numRuns: plot.runs, seed: SEED },
    )
    // The sequences are about something: on the whole they trade.
    expect(fills).toBeGreaterThan(plot.runs)
  },
  120_000,
)
