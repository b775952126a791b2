import { Worker } from 'node:worker_threads'
import type { Service } from '@tripline/kit/lifecycle'
import { RefusedError } from '@tripline/kit/refused-error'
import type { Log } from '@tripline/kit/telemetry/log'
import { publishDrift } from '../venue/read/drift.ts'
import type { Task, TaskEnd, Tasks, ThreadData, ThreadReport } from './tasks.ts'

/** A thread beside the order path: its work costs another core, and its death costs its work only. */
export interface SideThread extends Tasks, Service {}

interface Running {
  worker: Worker
  waiting: Map<number, PromiseWithResolvers<unknown>>
}

// In an image the thread's code is a bundle beside that of the process.
const entry = import.meta.url.endsWith('.ts') ? './main.ts' : './executor-side-thread.js'
const resourceLimits = { maxOldGenerationSizeMb: 256 }

/** Opens a thread for key tests and plans; it starts with its first task, and anew after it died. */
export function openSideThread(data: ThreadData, log: Log): SideThread {
  let running: Running | undefined
  let lastId = 0
  const run = async <Name extends keyof Tasks>(
    name: Name,
    input: Parameters<Tasks[Name]>[0],
  ): Promise<Awaited<ReturnType<Tasks[Name]>>> => {
    running ??= start()
    const { worker, waiting } = running
    const end = Promise.withResolvers<unknown>()
    const id = ++lastId
    waiting.set(id, end)
    try {
      worker.postMessage({ id, name, input } as Task)
      return (await end.promise) as Awaited<ReturnType<Tasks[Name]>>
    } finally {
      waiting.delete(id)
    }
  }
  return {
    testKey: async (bot) => await run('testKey', bot),
    judgeKey: async (bot) => await run('judgeKey', bot),
    planBlocks: async (blocks) => await run('planBlocks', blocks),
    stop: async () => void (await running?.worker.terminate()),
  }

  function start(): Running {
    const worker = new Worker(new URL(entry, import.meta.url), { workerData: data, resourceLimits })
    const started: Running = { worker, waiting: new Map() }
    worker.unref()
    worker.on('message', (message: TaskEnd | ThreadReport) => {
      if ('drift' in message) publishDrift(message.drift)
      else settle(started.waiting.get(message.id), message)
    })
    worker.on('error', (error) => log.error({ err: error }, 'side thread failed'))
    worker.on('exit', () => {
      if (running === started) running = undefined
      const gone = new RefusedError('unavailable', 'The service could not answer, please try again')
      for (const { reject } of started.waiting.values()) reject(gone)
    })
    return started
  }
}

function settle(waiting: PromiseWithResolvers<unknown> | undefined, end: TaskEnd): void {
  if (end.outcome === 'done') waiting?.resolve(end.value)
  else if (end.outcome === 'failed') waiting?.reject(end.error)
  else waiting?.reject(new RefusedError(end.code as RefusedError['code'], end.message))
}
