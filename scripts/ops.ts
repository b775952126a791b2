// npm run ops -- <act>: what people who run Tripline do by hand, over the bus.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Bus, connectBus } from '@tripline/kit/bus/bus'
import { parseBusUrl } from '@tripline/kit/bus/bus-address'
import { busSettings, loadConfig } from '@tripline/kit/config'
import { createLog } from '@tripline/kit/telemetry/log'
import { dataFolder } from '@tripline/testkit/paths'
import { keysFolder } from '@tripline/testkit/stack/local-keys'
import { z } from 'zod'
import { backUpBus, type Contents, restoreBus } from './ops/bus-back-up.ts'
import { drain } from './ops/drain.ts'
import { closeLost } from './ops/lost.ts'
import { notePausing, noteResumed, readPaused } from './ops/pause-file.ts'
import { rebuild } from './ops/rebuild.ts'
import { describeStatus, readStatus } from './ops/status.ts'
import { pauseAll, resumeAll } from './ops/trading.ts'
import { describeUnknown, readUnknown } from './ops/unknown.ts'

const usage = `npm run ops -- <act>:
  status                            executors with their partitions, what waits, and copies of streams that are missing
  unknown                           orders that were given up as unknown and are still asked for
  drain <executor> [--force]        hands over all that an executor holds; end the process afterwards
  pause reducing|halted <file>      nobody opens positions any more, or nobody trades; notes in the file who did before
  resume <file>                     lets those trade again as they did
  back-up <folder>                  writes what lies on the bus and nowhere else into an empty folder
  restore <folder>                  brings that onto a bus that holds nothing yet, before any service runs
  close-lost                        ends in the history what no alert is there for any more; after a restore
  rebuild history [--force]         makes history anew from the event stream
On the servers of NATS_URL with the seed of the bus user ops in NATS_NKEY_SEED, or of the data folder that runs; rebuild
on those of history's own DATABASE_URL, NATS_URL and NATS_NKEY_SEED, or of a data folder that nobody uses.`

type Act = (bus: Bus, args: string[]) => Promise<string>

const acts: Record<string, Act> = {
  status: async (bus) => describeStatus(await readStatus(bus, Date.now())),
  unknown: async (bus) => {
    const unknown = await readUnknown(bus)
    return unknown.length === 0 ? 'No order is unknown.' : unknown.map(describeUnknown).join('\n')
  },
  drain: async (bus, [owner = '', force]) => {
    await drain(bus, owner, force === '--force')
    return `${owner} holds nothing any more. End it now: it takes nothing until it is started again.`
  },
  pause: async (bus, [state, file]) => {
    const strict = z.enum(['reducing', 'halted']).parse(state)
    if (file === undefined) throw new Error('Name a file to note the former trading states in')
    let count = 0
    // Noted one by one and beforehand, so that what was done before a failure can be taken back.
    await pauseAll(bus, strict, (pausing) => {
      notePausing(file, pausing)
      count++
    })
    return `${count} users are ${strict} now; ${file} has how they were.`
  },
  resume: async (bus, [file = '']) => {
    const paused = readPaused(file)
    const users = new Set(paused.map(({ userId }) => userId)).size
    const count = await resumeAll(bus, paused)
    noteResumed(file, Date.now())
    return `${count} of ${users} users trade as before; the others have chosen something else since.`
  },
  'back-up': async (bus, [folder]) => {
    if (folder === undefined) throw new Error('Name an empty folder for the back-up')
    return describeContents(await backUpBus(bus, folder, Date.now()))
  },
  restore: async (bus, [folder]) => {
    if (folder === undefined) throw new Error('Name the folder of the back-up')
    const contents = await restoreBus(bus, folder)
    return `${describeContents(contents)}\nAlerts received since then are not here; none of these is sent again.`
  },
  'close-lost': async (bus) => {
    const lost = await closeLost(bus)
    if (lost.length === 0) return 'Nothing is open that has no alert.'
    const lines = lost.map(({ id, label, symbol }) => `  ${id}, bot ${label} on ${symbol}`)
    return [`${lost.length} executions were ended as unknown (E602):`, ...lines].join('\n')
  },
}

function describeContents({ takenAt, streams }: Contents): string {
  const counts = streams.map(({ config, state }) => `  ${state.messages} messages of ${config.name}`)
  return [`Begun at ${takenAt}:`, ...counts].join('\n')
}

/** The servers that are given, else those of the data folder, where a product runs. */
function settings(): NodeJS.ProcessEnv {
  if (process.env['NATS_URL']) return process.env
  const folder = dataFolder()
  const file = path.join(folder, 'ports.json')
  if (!existsSync(file)) throw new Error(nothingRuns(folder))
  const { nats } = z.looseObject({ nats: z.string() }).parse(JSON.parse(readFileSync(file, 'utf8')))
  const url = nats
    .split(',')
    .map((server) => `nats://${server}`)
    .join(',')
  return { NATS_URL: url, NATS_NKEY_SEED_FILE: path.join(keysFolder(folder), 'nats-ops.seed') }
}

const [name = '', ...args] = process.argv.slice(2)
const act = acts[name]
if (act === undefined && name !== 'rebuild') {
  console.error(usage)
  process.exit(2)
}
try {
  if (act === undefined) await rebuild(args[0], args.includes('--force'))
  else console.log(await onBus(act))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}

function nothingRuns(folder: string): string {
  return `Nothing runs on ${folder}. Start it with npm start, or name servers that run with NATS_URL and NATS_NKEY_SEED.`
}

function isUnreachable(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, 'code') === 'CONNECTION_REFUSED'
}

async function onBus(act: Act): Promise<string> {
  const { NATS_URL: url, NATS_NKEY_SEED: seed } = loadConfig(z.object(busSettings), settings())
  const bus = await connectBus({ url, user: 'ops', seed, log: createLog('ops', 'warn') }).catch((error) => {
    if (!isUnreachable(error)) throw error
    throw new Error(
      process.env['NATS_URL']
        ? `No NATS server answers at ${parseBusUrl(url).servers.join(', ')}.`
        : nothingRuns(dataFolder()),
    )
  })
  try {
    return await act(bus, args)
  } finally {
    await bus.close()
  }
}
