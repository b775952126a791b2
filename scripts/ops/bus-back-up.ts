import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Bus } from '@tripline/kit/bus/bus'
import { waitUntil } from '@tripline/testkit/wait-until'
import { z } from 'zod'
import { writeRestoredMark } from '../../services/executor/src/store/restored-mark.ts'
import { bringStream, SnapshotHead, saveStream } from './stream-snapshot.ts'

/**
 * The streams that the bus alone has, in the order in which they are saved: the progress of an alert is saved after the
 * alert, so that no saved alert seems undone of which more was known. Everything else is published again by keys, or
 * made anew by executors.
 */
const saved = ['ALERTS', 'KV_progress', 'KV_watches', 'EVENTS'] as const

const contentsFile = 'contents.json'

const Contents = z.object({
  takenAt: z.iso.datetime(),
  streams: z.array(SnapshotHead),
})
/** A back-up's contents; `takenAt` is when it was begun: what came later is not surely in it. */
export type Contents = z.infer<typeof Contents>

/** Writes what lies on the bus alone into an empty folder. The product may run meanwhile. */
export async function backUpBus(bus: Bus, folder: string, at: number): Promise<Contents> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (readdirSync(folder).length > 0) throw new Error(`${folder} is not empty`)
  const streams: SnapshotHead[] = []
  for (const stream of saved) streams.push(await saveStream(bus, stream, fileOf(folder, stream)))
  const contents = { takenAt: new Date(at).toISOString(), streams }
  // Written last: a back-up that was broken off has none, and is not restored.
  writeFileSync(path.join(folder, contentsFile), `${JSON.stringify(contents, undefined, 2)}\n`)
  return contents
}

/** The progress of alerts and the mark of their return are there before any alert. */
const broughtFirst = 'KV_progress'
const broughtLast = 'ALERTS'

/**
 * Brings a back-up onto a bus that holds nothing of its own yet, and marks the alerts in it as restored: what of them is
 * at an exchange is found out, and nothing of them is sent again. No alert is back unmarked if this breaks off.
 */
export async function restoreBus(bus: Bus, folder: string): Promise<Contents> {
  const contents = Contents.parse(JSON.parse(readFileSync(path.join(folder, contentsFile), 'utf8')))
  const heads = new Map(contents.streams.map((head) => [head.config.name, head]))
  const [progress, alerts] = [heads.get(broughtFirst), heads.get(broughtLast)]
  if (progress === undefined || alerts === undefined) throw new Error(`${folder} is no back-up of a bus`)
  const others = contents.streams.filter((head) => head !== progress && head !== alerts)
  const present = await removeEmpty(bus, [...heads.keys()])
  const bring = async (head: SnapshotHead): Promise<void> => {
    const { name } = head.config
    const config = { ...head.config, ...present.get(name) }
    await bringStream(bus, { ...head, config }, fileOf(folder, name))
  }
  try {
    await bring(progress)
    await markRestored(bus, alerts.state.last_seq)
    for (const head of others) await bring(head)
    await bring(alerts)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`${why}\nThe bus has a part of the back-up: empty it and begin again.`, { cause })
  }
  return contents
}

/** The time in which servers of a cluster have to elect, and to learn of, the leader of a stream that was just made. */
const ledWithinMs = 30_000

/** Writes the mark once the bucket is served: until then nobody may answer, and writing it again changes nothing. */
async function markRestored(bus: Bus, sequence: number): Promise<void> {
  const mark = { sequence, id: randomUUID() }
  const write = async (): Promise<true> => await writeRestoredMark(bus, mark).then(() => true)
  await waitUntil(write, {
    deadlineMs: ledWithinMs,
    intervalMs: 200,
    awaited: `${broughtFirst} to be served`,
  })
}

/** Settings of a stream on the servers at hand, which count before those of a back-up. */
interface Present {
  num_replicas: number
  max_bytes: number
}

/**
 * Takes away the streams that setup made, so that those of the back-up can take their place; refuses where one holds
 * anything, and takes none away then. Returns how many copies of each there were to be, and in what room.
 */
async function removeEmpty(bus: Bus, streams: readonly string[]): Promise<ReadonlyMap<string, Present>> {
  const present = new Map<string, Present>()
  for (const stream of streams) {
    const info = await bus.manager.streams.info(stream).catch(() => undefined)
    if (info === undefined) continue
    if (info.state.messages > 0)
      throw new Error(
        `${stream} holds ${info.state.messages} messages; a back-up is restored onto an empty bus`,
      )
    const { num_replicas, max_bytes } = info.config
    present.set(stream, { num_replicas, max_bytes })
  }
  for (const stream of present.keys()) await bus.manager.streams.delete(stream)
  return present
}

function fileOf(folder: string, stream: string): string {
  return path.join(folder, `${stream}.snapshot`)
}
