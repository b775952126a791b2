import { setTimeout as sleep } from 'node:timers/promises'
import { paperControl } from '@tripline/testkit/paper-control'
import type { Random } from './random.ts'
import type { Stage } from './stage.ts'

type Trouble = (stage: Stage, random: Random) => Promise<string>

/** Makes trouble until it is stopped, a random one after the other; returns how often each was made. */
export async function makeTrouble(
  stage: Stage,
  random: Random,
  stopping: AbortSignal,
): Promise<Map<string, number>> {
  const made = new Map<string, number>()
  while (!stopping.aborted) {
    await sleep(random.between(300, 2500), undefined, { signal: stopping }).catch(() => undefined)
    if (stopping.aborted) break
    const name = await random.pick(troubles)(stage, random)
    made.set(name, (made.get(name) ?? 0) + 1)
  }
  await paperControl(stage.product.urls.paper).clearFaults()
  return made
}

const meetExchangeFault: Trouble = async (stage, random) => {
  const fault = random.pick(exchangeFaults)(random)
  await paperControl(stage.product.urls.paper).addFault({ ...fault, count: random.between(1, 8) })
  return fault.action
}

const killExecutor: Trouble = async ({ product }, random) => {
  await product.kill('executor')
  await sleep(random.between(0, 3000))
  await product.restart('executor')
  return 'executor killed'
}

const drainExecutor: Trouble = async ({ product }) => {
  await product.restart('executor')
  return 'executor drained'
}

const cutBus: Trouble = async ({ busLink }, random) => {
  busLink.cut()
  await sleep(random.between(100, 4000))
  busLink.mend()
  return 'bus cut'
}

// The exchange is the shakiest neighbour, so it has most of them.
const troubles: readonly Trouble[] = [
  ...Array.from({ length: 9 }, () => meetExchangeFault),
  killExecutor,
  drainExecutor,
  cutBus,
]

type Fault = (random: Random) => { action: string; ms?: number; status?: number }

const plain =
  (action: string): Fault =>
  () => ({ action })
const timed =
  (action: string, most: number): Fault =>
  (random) => ({ action, ms: random.between(50, most) })

/** Everything that leaves the outcome of a request open, or what happened; nothing that refuses an order finally. */
const exchangeFaults: readonly Fault[] = [
  plain('drop'),
  plain('accept-then-drop'),
  timed('delay', 4000),
  timed('accept-then-delay', 6000),
  timed('stall-body', 3000),
  () => ({ action: 'status', status: 503 }),
  () => ({ action: 'accept-then-status', status: 503 }),
  timed('read-lag', 1000),
  plain('duplicate-events'),
  plain('reorder-events'),
  plain('silent-stream'),
  plain('disconnect'),
  plain('expire-listen-key'),
]
