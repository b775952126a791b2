import { parentPort, workerData } from 'node:worker_threads'
import { readOpeningKeys } from '@tripline/kit/crypto/seal'
import { RefusedError } from '@tripline/kit/refused-error'
import { followWallClock } from '@tripline/kit/time/clock'
import type { ExchangeMarket } from '@tripline/proto/exchange'
import { planBlocks } from '../domain/preview/plan.ts'
import type { Network } from '../venue/addresses.ts'
import { keyJudge, keyTester } from '../venue/key/key-tester.ts'
import { onDrift } from '../venue/read/drift.ts'
import type { Task, TaskEnd, Tasks, ThreadData, ThreadReport } from './tasks.ts'

followWallClock()
const { sealPrivateKeys, restAddresses, ownAddresses } = workerData as ThreadData
const trying = {
  openingKeys: readOpeningKeys(sealPrivateKeys),
  addressOf: (market: ExchangeMarket, network: Network) => restAddresses[market][network],
  ownAddresses,
}
const tasks: Tasks = {
  testKey: keyTester(trying),
  judgeKey: keyJudge(trying),
  planBlocks: async (blocks) => planBlocks(blocks),
}
onDrift((drift) => parentPort?.postMessage({ drift } satisfies ThreadReport))
parentPort?.on('message', async (task: Task) => parentPort?.postMessage(await endOf(task)))

async function endOf(task: Task): Promise<TaskEnd> {
  const { id } = task
  try {
    return { id, outcome: 'done', value: await run(task) }
  } catch (error) {
    if (error instanceof RefusedError) {
      return { id, outcome: 'refused', code: error.code, message: error.message }
    }
    return { id, outcome: 'failed', error: error instanceof Error ? error : new Error(String(error)) }
  }
}

async function run({ name, input }: Task): Promise<unknown> {
  return name === 'planBlocks' ? await tasks.planBlocks(input) : await tasks[name](input)
}
