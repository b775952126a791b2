import { expect, test } from '@jest/globals'
import { natsCluster } from '@tripline/testkit/nats-cluster'
import { waitUntil } from '@tripline/testkit/wait-until'
import { faultsOfCopies, readCopies } from '../ops/copies.ts'

test('the status of a bus that lost a server names each stream and bucket, and the server', async () => {
  const cluster = await natsCluster()
  try {
    const ops = await cluster.connect('ops')
    const faults = async (): Promise<string[]> => faultsOfCopies(await readCopies(ops))
    const patience = { deadlineMs: 60_000 }
    await waitUntil(async () => (await faults()).length === 0, patience)
    await cluster.loseServer()
    const all = (await readCopies(ops)).length
    const faultLines = await waitUntil(async () => {
      const lines = await faults()
      return lines.length === all && lines.every((line) => line.includes('three is offline')) && lines
    }, patience)
    for (const line of faultLines) expect(line).toContain('2 of 3 copies live')
  } finally {
    await cluster.stop()
  }
}, 180_000)
