import type { Bus } from '@tripline/kit/bus/bus'
import { readSentTo } from '@tripline/kit/bus/sent-to-readers'

/** A takeover does not wait longer for it: then it is not known. */
const answerMs = 500

/** Returns the sequence up to which the owner of a partition was sent its alerts; undefined where that is not known. */
export type SentTo = (owner: string, partition: number) => number | undefined

/** Returns the labels by which a later owner knows the reader of a partition; undefined where no server counts for it surely. */
export function readerLabels(bus: Bus, owner: string, partition: number): Record<string, string> | undefined {
  const server = countingServer(bus)
  return server === undefined ? undefined : { owner, partition: `${partition}`, server }
}

/**
 * Names the run of the server that counts what readers are sent; undefined where that is not the one we are connected to,
 * or one of a cluster: it may be started anew, and count anew, without a sign of that.
 */
function countingServer({ connection: { info } }: Bus): string | undefined {
  return info?.jetstream === true && info.cluster === undefined ? info.server_id : undefined
}

/** Reads how far each owner was sent the alerts of its partitions, as the server still knows it. */
export async function readSentToOwners(bus: Bus): Promise<SentTo> {
  if (countingServer(bus) === undefined) return () => undefined
  const readings = await readSentTo(bus, 'ALERTS', answerMs).catch((error: unknown) => {
    bus.log.info({ err: error }, 'it is not known how much former owners were sent')
    return undefined
  })
  return (owner, partition) => {
    const wanted = Object.entries(readerLabels(bus, owner, partition) ?? {})
    const found = (readings ?? []).filter(
      ({ labels }) => wanted.length > 0 && wanted.every(([name, value]) => labels[name] === value),
    )
    return found.length === 0 ? undefined : Math.max(...found.map(({ sentTo }) => sentTo))
  }
}
