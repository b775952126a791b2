import { z } from 'zod'
import type { Bus } from './bus.ts'

/** The labels of a consumer, and the sequence up to which the server has sent it what it reads. */
export interface SentConsumer {
  labels: Record<string, string>
  sentTo: number
}

const Listing = z.object({
  total: z.number(),
  consumers: z
    .array(
      z.object({
        config: z.object({
          opt_start_seq: z.number().optional(),
          metadata: z.record(z.string(), z.string()).optional(),
        }),
        delivered: z.object({ stream_seq: z.number() }),
      }),
    )
    .nullable(),
})

/**
 * Reads how far the server has sent the stream to each consumer that it knows, which it keeps for a while when nobody
 * reads any more; undefined if it does not list all of them at once, since they may change between two answers.
 */
export async function readSentTo(
  bus: Bus,
  stream: string,
  timeoutMs: number,
): Promise<readonly SentConsumer[] | undefined> {
  const subject = `$JS.API.CONSUMER.LIST.${stream}`
  const answer = await bus.request({ subject, payload: '', timeoutMs })
  const { total, consumers } = Listing.parse(answer.json())
  const known = (consumers ?? []).map(({ config, delivered }) => ({
    labels: config.metadata ?? {},
    // One that was sent nothing yet may not count what lies before its start.
    sentTo: Math.max(delivered.stream_seq, (config.opt_start_seq ?? 1) - 1),
  }))
  return known.length === total ? known : undefined
}
