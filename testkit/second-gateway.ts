import { freePort } from './infra/free-port.ts'
import type { Product } from './stack/product.ts'
import { serviceProcess } from './stack/service-process.ts'
import { waitUntil } from './wait-until.ts'

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
