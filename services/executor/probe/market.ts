import type { Account } from './exchange.ts'
import type { Assumption } from './judge.ts'
import type { Run, Step } from './run-context.ts'
import type { ProbeSocket } from './transport.ts'

/** How one market is probed. */
export interface ProbedMarket {
  assumptions: Readonly<Record<string, Assumption>>
  account: Account
  /** Measures the exchange's clock, in ms ahead of ours. */
  measureClock: () => Promise<number>
  /** What a taker pays, as a factor; asked of the exchange. */
  feeRate: () => Promise<string>
  openStream: () => Promise<ProbeSocket>
  /** Closes the sockets that its steps opened. */
  close: () => void
  steps: readonly Step<Run<string>>[]
}
