import { Session } from 'node:inspector/promises'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { generateSealingPair } from '@tripline/kit/crypto/seal'
import { ExchangeMarket } from '@tripline/proto/exchange'
import { testLog } from '@tripline/testkit/log'
import type { BlockScene } from '../src/domain/preview/plan.ts'
import type { SideThread } from '../src/side-thread/side-thread.ts'
import type { ThreadData } from '../src/side-thread/tasks.ts'

// Loaded behind what other test files of this process loaded: of theirs something may run still.
const lastOfOthers = await newestScript()
const { planBlocks } = await import('../src/domain/preview/plan.ts')
const { openSideThread } = await import('../src/side-thread/side-thread.ts')
const { accountReading, btcusdt, commandsOf } = await import('./btcusdt.ts')

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
const largest: BlockScene[] = Array.from({ length: 20 }, (_, index) => ({
  lane: `bot market-${index}`,
  commands: commandsOf('stop(sell, 10%, -1%);'.repeat(50), 'futures'),
  scene: { market: btcusdt, reading: accountReading({}), open: [], limits, findings: [] },
}))
const planHere = () => planBlocks(largest)

let thread: SideThread
beforeEach(() => {
  thread = openSideThread(data, testLog('executor'))
})
afterEach(async () => await thread.stop())

/** Returns the number of the script that was loaded last on this thread. */
async function newestScript(): Promise<number> {
  const session = new Session()
  session.connect()
  let newest = 0
  session.on('Debugger.scriptParsed', ({ params: { scriptId } }) => {
    newest = Math.max(newest, Number(scriptId))
  })
  await session.post('Debugger.enable')
  session.disconnect()
  return newest
}

/** The functions of our own code that ran on this thread, where orders run, as `file function`. */
async function calledHere(work: () => unknown): Promise<string[]> {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    await work()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    return result.flatMap(({ url, functions, scriptId }) => {
      const [, file] = url.split('/services/executor/src/')
      if (file === undefined || Number(scriptId) <= lastOfOthers) return []
      const called = functions.filter(({ ranges }) => ranges.some(({ count }) => count > 0))
      return called.map(({ functionName }) => `${file} ${functionName}`)
    })
  } finally {
    session.disconnect()
  }
}

test('the plans of the largest messages are made beside the thread of orders, and are the same', async () => {
  expect(await calledHere(planHere)).toContain('domain/preview/plan.ts planBlock')
  let plans: unknown
  const called = await calledHere(async () => {
    plans = await thread.planBlocks(largest)
  })
  expect(plans).toEqual(planHere())
  // This thread only hands the message over and back.
  expect(called).toContain('side-thread/side-thread.ts planBlocks')
  expect(called.filter((name) => !name.startsWith('side-thread/'))).toEqual([])
})

test('a thread that ends fails its task, and the next task starts another', async () => {
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
