import type { ExchangeMarket } from '@tripline/proto/exchange'
import type { testKey } from '@tripline/proto/executor-request'
import type { KeyTest } from '@tripline/proto/key-test'
import type { z } from 'zod'
import type { KeyVerdict } from '../domain/account/key-test.ts'
import type { BlockScene, PlannedBlock } from '../domain/preview/plan.ts'
import type { Network } from '../venue/addresses.ts'
import type { Drift } from '../venue/read/drift.ts'

/** Start data of the thread. */
export interface ThreadData {
  /** The setting that opens sealed credentials; keys themselves do not cross to a thread. */
  sealPrivateKeys: string
  /** Addresses where keys are tried: those of a market's requests. */
  restAddresses: Record<ExchangeMarket, Record<Network, string>>
  /** The addresses that we call exchanges from, for people to allow. */
  ownAddresses: string | undefined
}

/** The work that would hold up orders on the event loop of the executor. */
export interface Tasks {
  testKey: (bot: z.output<typeof testKey.asked>) => Promise<KeyTest>
  judgeKey: (bot: z.output<typeof testKey.asked>) => Promise<KeyVerdict>
  planBlocks: (blocks: readonly BlockScene[]) => Promise<PlannedBlock[]>
}

/** One piece of work as it crosses to the thread. */
export type Task = {
  [Name in keyof Tasks]: { id: number; name: Name; input: Parameters<Tasks[Name]>[0] }
}[keyof Tasks]

/** The end of a piece of work as it crosses back. */
export type TaskEnd =
  | { id: number; outcome: 'done'; value: unknown }
  | { id: number; outcome: 'refused'; code: string; message: string }
  | { id: number; outcome: 'failed'; error: Error }

/** Report of the thread besides: something of a venue was new to it, or could not be read. */
export interface ThreadReport {
  drift: Drift
}
