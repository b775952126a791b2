import { connect } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import type { Closers } from '@tripline/testkit/closers'
import { recordedPid } from '@tripline/testkit/infra/process-record'
import { temporaryFolder } from '@tripline/testkit/infra/temporary-folder'
import { z } from 'zod'
import { endsOf, openFiles } from './open-files.ts'

const Reply = z.object({
  rss: z.number(),
  heapUsed: z.number(),
  handles: z.number(),
  resting: z.array(z.tuple([z.number(), z.number()])),
  pauses: z.array(z.number()),
  held: z.record(z.string(), z.number()),
})

/** The use of a service's process, in bytes and pieces. */
export interface Vitals {
  pid: number
  rss: number
  heapUsed: number
  /** The handles that keep the process running, connections at rest aside. */
  handles: number
  /** Pauses for the collection of garbage since it was asked last, in ms. */
  pauses: readonly number[]
  /** Bytes of what it holds, by our file that had them made; nothing unless that is watched. */
  held: Readonly<Record<string, number>>
  /** Open files and sockets, as the system counts them; NaN if it does not count them. */
  files: number
}

/** A way to ask services what they hold. */
export interface Doctor {
  /** The settings that a service has to be started with. */
  env: Record<string, string>
  examine: (dataDir: string, service: string) => Promise<Vitals>
  /** Asks services at once; a connection on which one of them waits for the next request counts at neither end. */
  examineAll: (dataDir: string, services: readonly string[]) => Promise<Map<string, Vitals>>
}

/** A doctor for services that are not started yet; who made what they hold is watched at the cost of some speed. */
export async function newDoctor(closers: Closers, { watchesHeap = false } = {}): Promise<Doctor> {
  const { folder, remove } = await temporaryFolder()
  await closers.add(remove)
  const preload = pathToFileURL(path.join(import.meta.dirname, 'answer-vitals.ts')).href
  return {
    env: {
      NODE_OPTIONS: `--import=${preload}`,
      VITALS_DIR: folder,
      ...(watchesHeap && { VITALS_HEAP: '1' }),
    },
    examine: async (dataDir, service) => {
      const reply = await ask(folder, dataDir, service)
      return vitalsOf(reply, endsOf(reply.resting))
    },
    examineAll: async (dataDir, services) => {
      const replies = await Promise.all(services.map((service) => ask(folder, dataDir, service)))
      const resting = endsOf(replies.flatMap((one) => one.resting))
      return new Map(replies.map((one) => [one.service, vitalsOf(one, resting)]))
    },
  }
}

type Answer = z.infer<typeof Reply> & { service: string; pid: number }

async function ask(folder: string, dataDir: string, service: string): Promise<Answer> {
  const pid = recordedPid(path.join(dataDir, 'pids', `${service}.json`))
  if (pid === undefined) throw new Error(`${service} does not run`)
  const reply = await text(connect(path.join(folder, `${pid}.sock`)))
  return { service, pid, ...Reply.parse(JSON.parse(reply)) }
}

function vitalsOf({ resting: _, service: _name, ...reply }: Answer, aside: ReadonlySet<string>): Vitals {
  return { ...reply, files: openFiles(reply.pid, aside) }
}
