import type { Line } from '../exchange.ts'
import { textAt } from '../json-text.ts'
import type { ProbedMarket } from '../market.ts'
import { sharedAssumptions } from '../shared-assumptions.ts'
import { spotAccount } from './spot-account.ts'
import { spotAssumptions } from './spot-assumptions.ts'
import { spotSteps } from './spot-steps.ts'
import { createBinanceWire } from './wire.ts'

/** Binance spot as it is probed. */
export function probedSpot(line: Line): ProbedMarket {
  const wire = createBinanceWire(line)
  return {
    assumptions: { ...spotAssumptions, ...sharedAssumptions },
    account: spotAccount(line, wire),
    measureClock: wire.measureClock,
    openStream: wire.openStream,
    close: wire.close,
    feeRate: async () => {
      const { json } = await wire.ask('commission', 'GET', '/api/v3/account/commission', {
        symbol: line.symbol,
      })
      return textAt(json, 'standardCommission.taker') || '0.001'
    },
    steps: spotSteps.map(({ name, run: step }) => ({
      name,
      run: async (run) => await step(Object.assign(run, { wire })),
    })),
  }
}
