import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { generateSealingPair } from '@tripline/kit/seal'
import { ExchangeMarket } from '@tripline/proto/exchange'
import { testLog } from '@tripline/testkit/log'
import { planCommands } from '../src/domain/plan.ts'
import { openSideThread, type SideThread } from '../src/side-thread/side-thread.ts'
import type { BlockScene, ThreadData } from '../src/side-thread/tasks.ts'
import { accountReading, btcusdt, commandsOf } from './btcusdt.ts'

const addresses = { mainnet: 'http://127.0.0.1:9', testnet: 'http://127.0.0.1:9' }
const data: ThreadData = {
  sealPrivateKeys: generateSealingPair('test').privateText,
  restAddresses: Object.fromEntries(
    ExchangeMarket.options.map((market) => [market, addresses]),
  ) as ThreadData['restAddresses'],
  ownAddresses: undefined,
}
const limits = { tradingState: 'active', maxEntryAgeMs: 60_000, exitRetryMs: 600_000 } as const

/** The largest message: as many blocks of as many commands as the language takes. */
const largest: BlockScene[] = Array.from({ length: 20 }, () => ({
  commands: commandsOf('stop(sell, 10%, -1%);'.repeat(50), 'futures'),
  scene: { market: btcusdt, reading: accountReading({}), open: [], limits, findings: [] },
}))
const planHere = () => largest.map(({ commands, scene }) => planCommands(commands, scene))

let thread: SideThread
beforeEach(() => {
  thread = openSideThread(data, testLog('executor'))
})
afterEach(async () => await thread.stop())

/** The processor time that the work takes from this thread, where orders run. */
async function cpuHere(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return user + system
}

test('the plans of the largest messages take little of the thread of orders, and are the same', async () => {
  expect(await thread.planBlocks(largest)).toEqual(planHere())
  const times = 10
  const here = await cpuHere(() => {
    for (let time = 0; time < times; time++) planHere()
  })
  const beside = await cpuHere(async () => {
    for (let time = 0; time < times; time++) await thread.planBlocks(largest)
  })
  // What is left here is to hand the message over and back.
  expect(beside).toBeLessThan(here)
})

test('a thread that ends fails what it was doing, and the next task starts another', async () => {
  const underWay = thread.planBlocks(largest)
  const failed = expect(underWay).rejects.toMatchObject({ code: 'unavailable' })
  await thread.stop()
  await failed
  expect(await thread.planBlocks(largest.slice(0, 1))).toEqual(planHere().slice(0, 1))
})

test('a task that throws fails alone', async () => {
  const broken = { ...largest[0], scene: undefined } as unknown as BlockScene
  const outcomes = await Promise.allSettled([thread.planBlocks([broken]), thread.planBlocks(largest)])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
})
