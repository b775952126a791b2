import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Bus } from '@tripline/kit/bus/bus'
import { recordedPid } from '@tripline/testkit/infra/process-record'
import { z } from 'zod'

const Served = z.object({ in_msgs: z.number(), out_msgs: z.number() })

/** Returns how many messages a product's bus has read and written so far, and stored in each of its streams. */
export async function busMessages(dataDir: string, bus: Bus): Promise<Map<string, number>> {
  const answer = await fetch(`http://127.0.0.1:${monitorPort(dataDir)}/varz`)
  const { in_msgs, out_msgs } = Served.parse(await answer.json())
  const streams = await bus.manager.streams.list().next()
  return new Map([
    ['into the bus', in_msgs],
    ['out of the bus', out_msgs],
    ...streams.map(({ config, state }): [string, number] => [`stored in ${config.name}`, state.last_seq]),
  ])
}

/** Returns the port at which the bus of a product reports on itself, as it was started with. */
function monitorPort(dataDir: string): number {
  const pid = recordedPid(path.join(dataDir, 'pids', 'nats.json'))
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  return Number(words[words.indexOf('-m') + 1])
}
