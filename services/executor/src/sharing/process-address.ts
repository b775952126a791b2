import { createHash } from 'node:crypto'
import { readFile, readlink } from 'node:fs/promises'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { steadyNow } from '@tripline/kit/time/clock'

/**
 * A place that only one process can have at a time: an address and port it listens at, in one network of one machine
 * since that was started. The one that has it knows that all before it have ended, or had released everything.
 */
export interface ProcessAddress {
  name: string
  /** By when (monotonic) all who had it before were gone. */
  since: number
}

/** The place of this process, which listens at this port already; undefined where its machine does not report it. */
export async function processAddress(host: string, port: number): Promise<ProcessAddress | undefined> {
  const since = steadyNow()
  // A name may stand for several addresses, and two processes can listen at one of them each.
  if (isIP(host) === 0) return undefined
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
    const network = await readlink('/proc/self/ns/net')
    const parts = [boot.trim(), network, hostname(), host, `${port}`]
    if (parts.some((part) => part === '')) return undefined
    return { name: createHash('sha256').update(parts.join(' ')).digest('base64url'), since }
  } catch {
    return undefined
  }
}
