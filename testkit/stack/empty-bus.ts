import type { Bus } from '@tripline/kit/bus/bus'

/** Refuses a server that holds anything: what tests leave behind would be taken for somebody's. */
export async function refuseContents(ops: Bus): Promise<void> {
  const names = await streamNames(ops)
  if (names.length > 0)
    throw new Error(`NATS_URL has streams already (${names.join(', ')}): tests need an empty server`)
}

/** Removes every stream and bucket. */
export async function removeContents(ops: Bus): Promise<void> {
  for (const name of await streamNames(ops)) await ops.manager.streams.delete(name)
}

async function streamNames(ops: Bus): Promise<string[]> {
  const names: string[] = []
  for await (const name of ops.manager.streams.names()) names.push(name)
  return names
}
