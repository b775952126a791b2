import type { Line } from '../exchange.ts'
import { textAt } from '../json-text.ts'
import type { ProbedMarket } from '../market.ts'
import { sharedAssumptions } from '../shared-assumptions.ts'
import { futuresAccount } from './futures-account.ts'
import { futuresAssumptions } from './futures-assumptions.ts'
import { futuresSteps } from './futures-steps.ts'
import { createBinanceWire } from './wire.ts'

/** Binance USDⓈ-M as it is probed. */
export function probedFutures(line: Line): ProbedMarket {
  const wire = createBinanceWire(line)
  return {
    assumptions: { ...futuresAssumptions, ...sharedAssumptions },
    account: futuresAccount(line, wire),
    measureClock: wire.measureClock,
    openStream: wire.openStream,
    close: wire.close,
    feeRate: async () => {
      const { json } = await wire.ask('commissionRate', 'GET', '/fapi/v1/commissionRate', {
        symbol: line.symbol,
      })
      return textAt(json, 'takerCommissionRate') || '0.001'
    },
    steps: futuresSteps.map(({ name, run: step }) => ({
      name,
      run: async (run) => await step(Object.assign(run, { wire })),
    })),
  }
}
