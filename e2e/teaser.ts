import { freePort } from '@tripline/scripts/infra/free-port'
import type { Product } from '@tripline/scripts/product'
import { serviceProcess } from '@tripline/scripts/service-process'
import { waitUntil } from '@tripline/scripts/wait-until'

/** A second gateway of a product, which shows the teaser instead of the landing page. */
export async function startTeaser(product: Product): Promise<{ url: string; stop: () => Promise<void> }> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const gateway = serviceProcess({
    name: 'teaser-gateway',
    folder: 'gateway',
    dataDir: product.dataDir,
    env: { ...process.env, ...product.settings('gateway'), PORT: String(port), FRONT_PAGE: 'teaser' },
    onLine: () => undefined,
    onDeath: () => undefined,
  })
  await gateway.start()
  await waitUntil(async () => (await fetch(`${url}/livez`)).ok, { deadlineMs: 60_000 })
  return { url, stop: () => gateway.stop() }
}
