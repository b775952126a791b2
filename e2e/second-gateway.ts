import { freePort } from '@tripline/testkit/infra/free-port'
import type { Product } from '@tripline/testkit/stack/product'
import { serviceProcess } from '@tripline/testkit/stack/service-process'
import { waitUntil } from '@tripline/testkit/wait-until'

/** One more gateway of a product, with settings of its own. */
export async function startSecondGateway(
  product: Product,
  settings: Record<string, string>,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const gateway = serviceProcess({
    name: 'second-gateway',
    folder: 'gateway',
    dataDir: product.dataDir,
    env: { ...process.env, ...product.settings('gateway'), PORT: String(port), ...settings },
    onLine: () => undefined,
    onDeath: () => undefined,
  })
  await gateway.start()
  await waitUntil(async () => (await fetch(`${url}/livez`)).ok, { deadlineMs: 60_000 })
  return { url, stop: () => gateway.stop() }
}
