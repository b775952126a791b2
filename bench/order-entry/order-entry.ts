import { type Closers, closers as newClosers } from '@tripline/testkit/closers'
import { paperExchange, type TestPaper } from '@tripline/testkit/paper-exchange'
import { phase } from '@tripline/testkit/progress'
import { waitUntil } from '@tripline/testkit/wait-until'
import type { Trading } from './accounts.ts'
import { tradeOnBinance } from './binance.ts'
import { tradeOnBybit } from './bybit.ts'
import { atDistance } from './distance.ts'
import { type Bursts, type Measured, measureBursts, type Way } from './measure.ts'
import { type AtDistance, report } from './report.ts'
import { signingCosts } from './signing.ts'
import { measureSized, sizedMarkets } from './sized.ts'

/** The size of a measurement. */
interface Plan {
  oneWayMs: readonly number[]
  bursts: readonly Bursts[]
  /** The number of orders that are sized by the account, each way. */
  sized: number
}

const plans: Record<'full' | 'quick', Plan> = {
  full: {
    oneWayMs: [0, 1, 5],
    bursts: [
      { size: 1, times: 250 },
      { size: 8, times: 40 },
      { size: 32, times: 15 },
    ],
    sized: 300,
  },
  quick: {
    oneWayMs: [0, 5],
    bursts: [
      { size: 1, times: 40 },
      { size: 8, times: 8 },
      { size: 32, times: 3 },
    ],
    sized: 60,
  },
}

// As many connections as the executor keeps warm to a venue.
const warmAccounts = 4
const accounts = 32

const markets = [
  async (at: BenchVenue, closers: Closers) => await tradeOnBinance('Binance USDⓈ-M', at, closers),
  async (at: BenchVenue, closers: Closers) => await tradeOnBinance('Binance spot', at, closers),
  async (at: BenchVenue, closers: Closers) => await tradeOnBybit(at, closers),
]

interface BenchVenue {
  paper: TestPaper
  url: string
  accounts: number
}

/** Measures whether orders are faster over a socket than the way the executor sends them; returns the tables. */
export async function orderEntry(pace: keyof typeof plans, closers: Closers): Promise<string> {
  const plan = plans[pace]
  const paper = await paperExchange()
  await closers.add(async () => await paper.stop())
  const distances: AtDistance[] = []
  for (const oneWayMs of plan.oneWayMs) {
    const measured = await phase(`measured at ${oneWayMs} ms each way`, async () => {
      return await measureAt(paper, oneWayMs, plan.bursts, closers)
    })
    const sized = await phase(`sized at ${oneWayMs} ms each way`, async () => {
      const all = []
      for (const market of sizedMarkets) all.push(await measureSized(market, oneWayMs, plan.sized, closers))
      return all.flat()
    })
    distances.push({ oneWayMs, measured, sized })
  }
  return `\n${report(distances, signingCosts())}`
}

async function measureAt(
  paper: TestPaper,
  oneWayMs: number,
  bursts: readonly Bursts[],
  closers: Closers,
): Promise<Measured[]> {
  const url = await atDistance(paper.url, oneWayMs, closers)
  const measured: Measured[] = []
  for (const open of markets) {
    const own = newClosers()
    await closers.add(own.close)
    const trading = await open({ paper, url, accounts }, own)
    await warmUp(paper.url, trading)
    for (const one of bursts) {
      measured.push(...(await measureBursts(paper.url, trading, waysOf(one.size), one)))
    }
    await own.close()
  }
  return measured
}

async function warmUp(paperUrl: string, trading: Trading): Promise<void> {
  await measureBursts(paperUrl, trading, waysOf(1), { size: accounts, times: 3 })
  await waitUntil(trading.isOnSockets, { deadlineMs: 30_000, awaited: 'the sockets' })
}

function waysOf(size: number): Way[] {
  const rest: Way = { name: `REST, ${warmAccounts} warm`, by: 'rest', warm: warmAccounts }
  const wide: Way = { name: `REST, ${size} warm`, by: 'rest', warm: size }
  const socket: Way = { name: 'socket', by: 'socket', warm: warmAccounts }
  return size > warmAccounts ? [rest, wide, socket] : [rest, socket]
}
