import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Bus } from '@tripline/kit/bus'
import { z } from 'zod'
import { writeRestoredMark } from '../../services/executor/src/store/restored-mark.ts'
import { bringStream, SnapshotHead, saveStream } from './stream-snapshot.ts'

/**
 * What lies on the bus and nowhere else, in the order in which it is saved: what an alert came to is saved after the
 * alert, so that no alert is there as undone of which more was already known. Everything else is published again by
 * keys, or made anew by executors.
 */
const saved = ['ALERTS', 'KV_progress', 'KV_watches', 'EVENTS'] as const

const contentsFile = 'contents.json'

const Contents = z.object({
  takenAt: z.iso.datetime(),
  streams: z.array(SnapshotHead),
})
/** What a back-up holds; `takenAt` is when it was begun: what came later is not surely in it. */
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

/**
 * Brings a back-up onto a bus that holds nothing of its own yet, and marks the alerts in it as restored: what of them is
 * at an exchange is found out, and nothing of them is sent again.
 */
export async function restoreBus(bus: Bus, folder: string): Promise<Contents> {
  const contents = Contents.parse(JSON.parse(readFileSync(path.join(folder, contentsFile), 'utf8')))
  for (const { config } of contents.streams) await removeEmpty(bus, config.name)
  for (const head of contents.streams) await bringStream(bus, head, fileOf(folder, head.config.name))
  const alerts = contents.streams.find(({ config }) => config.name === 'ALERTS')
  if (alerts === undefined) throw new Error(`${folder} has no alerts`)
  await writeRestoredMark(bus, alerts.state.last_seq)
  return contents
}

/** Takes away a stream that setup made, so that the one of the back-up can take its place. */
async function removeEmpty(bus: Bus, stream: string): Promise<void> {
  const info = await bus.manager.streams.info(stream).catch(() => undefined)
  if (info === undefined) return
  if (info.state.messages > 0)
    throw new Error(
      `${stream} holds ${info.state.messages} messages; a back-up is restored onto an empty bus`,
    )
  await bus.manager.streams.delete(stream)
}

function fileOf(folder: string, stream: string): string {
  return path.join(folder, `${stream}.snapshot`)
}
