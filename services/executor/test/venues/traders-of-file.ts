import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals'
import { paperExchange, type TestPaper } from '@tripline/testkit/paper-exchange'
import { openTrader, type Received, type Trader, type TraderSettings } from './binance-rig.ts'

/** A paper exchange for the tests of a file, and the traders that each of them opens there. */
export interface TradersOfFile {
  readonly paper: TestPaper
  /** Has Bitcoin cost this; 60,000 before each test. */
  pin: (price: string) => Promise<void>
  /** Opens a trader that receives its stream and is closed behind the test. */
  open: (
    kind: Parameters<typeof openTrader>[1],
    settings?: TraderSettings,
  ) => Promise<{ trader: Trader; received: Received }>
}

/** Such an exchange, which runs while tests of the file do. */
export function tradersOfFile(): TradersOfFile {
  let paper: TestPaper
  let traders: Trader[] = []
  const pin: TradersOfFile['pin'] = async (price) =>
    await paper.pinPrices('BTCUSDT', { bid: price, ask: price, last: price, mark: price, index: price })
  beforeAll(async () => {
    paper = await paperExchange()
  })
  beforeEach(async () => await pin('60000'))
  afterEach(async () => {
    await paper.clearFaults()
    for (const trader of traders) await trader.close()
    traders = []
  })
  afterAll(async () => await paper.stop())
  return {
    get paper() {
      return paper
    },
    pin,
    open: async (kind, settings) => {
      const trader = await openTrader(paper, kind, settings)
      traders.push(trader)
      return { trader, received: await trader.follow() }
    },
  }
}
