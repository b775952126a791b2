import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import type { Closers } from '@tripline/scripts/closers'
import { recordedPid } from '@tripline/scripts/infra/process-record'
import { temporaryFolder } from '@tripline/scripts/infra/temporary-folder'
import { z } from 'zod'

const Told = z.object({ rss: z.number(), heapUsed: z.number(), handles: z.number() })

/** What a process of a service holds, in bytes and pieces. */
export interface Vitals extends z.infer<typeof Told> {
  pid: number
  /** Open files and sockets, as the system counts them; NaN where it does not tell. */
  files: number
}

/** A way to ask services what they hold. */
export interface Doctor {
  /** The settings that a service has to be started with. */
  env: Record<string, string>
  examine: (dataDir: string, service: string) => Promise<Vitals>
}

/** A doctor for services that are not started yet. */
export async function newDoctor(closers: Closers): Promise<Doctor> {
  const { folder, remove } = await temporaryFolder()
  await closers.add(remove)
  const preload = pathToFileURL(path.join(import.meta.dirname, 'answer-vitals.ts')).href
  return {
    env: { NODE_OPTIONS: `--import=${preload}`, VITALS_DIR: folder },
    examine: async (dataDir, service) => {
      const pid = recordedPid(path.join(dataDir, 'pids', `${service}.json`))
      if (pid === undefined) throw new Error(`${service} does not run`)
      const told = await text(connect(path.join(folder, `${pid}.sock`)))
      return { pid, files: openFiles(pid), ...Told.parse(JSON.parse(told)) }
    },
  }
}

function openFiles(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return Number.NaN
  }
}
