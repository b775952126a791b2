import type { Account } from './exchange.ts'
import type { Assumption } from './judge.ts'
import type { Run, Step } from './run-context.ts'
import type { ProbeSocket } from './transport.ts'

/** The probe of one market. */
export interface ProbedMarket {
  assumptions: Readonly<Record<string, Assumption>>
  account: Account
  /** Measures the exchange's clock, in ms ahead of ours. */
  measureClock: () => Promise<number>
  /** Asks the exchange for a taker's fee, as a factor. */
  feeRate: () => Promise<string>
  openStream: () => Promise<ProbeSocket>
  /** Closes the sockets that its steps opened. */
  close: () => void
  steps: readonly Step<Run<string>>[]
}
