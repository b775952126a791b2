import type { Line } from '../exchange.ts'
import { textAt } from '../json-text.ts'
import type { ProbedMarket } from '../market.ts'
import { sharedAssumptions } from '../shared-assumptions.ts'
import { bybitAccount } from './account.ts'
import { bybitAssumptions } from './assumptions.ts'
import type { BybitRun } from './run.ts'
import { bybitSteps } from './steps.ts'
import { createBybitWire } from './wire.ts'

/** One of Bybit's markets as it is probed. */
export function probedBybit(line: Line): ProbedMarket {
  const wire = createBybitWire(line)
  const category: BybitRun['category'] = line.venue === 'bybit-linear' ? 'linear' : 'spot'
  return {
    assumptions: { ...bybitAssumptions, ...sharedAssumptions },
    account: bybitAccount(line, wire),
    measureClock: wire.measureClock,
    openStream: wire.openStream,
    close: wire.close,
    feeRate: async () => {
      const { json } = await wire.get('account.fee-rate', { category, symbol: line.symbol })
      return textAt(json, 'result.list.0.takerFeeRate') || '0.001'
    },
    steps: bybitSteps.map(({ name, run: step }) => ({
      name,
      run: async (run) => await step(Object.assign(run, { wire, category })),
    })),
  }
}
