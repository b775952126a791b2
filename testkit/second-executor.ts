import { freePort } from './infra/free-port.ts'
import type { Product } from './stack/product.ts'
import { type ServiceProcess, serviceProcess } from './stack/service-process.ts'

/** The name of the executor beside a product's own. */
export const secondExecutorName = 'executor-2'

/** Another executor of a product, with the settings of its own one; it does not run yet. */
export async function secondExecutor(
  product: Product,
  onDeath: (how: string) => void = () => undefined,
  env: NodeJS.ProcessEnv = {},
): Promise<ServiceProcess> {
  return serviceProcess({
    name: secondExecutorName,
    folder: 'services/executor',
    dataDir: product.dataDir,
    env: {
      PATH: process.env['PATH'],
      TRIPLINE_MODE: 'local',
      ...product.settings('executor'),
      PORT: `${await freePort()}`,
      ...env,
    },
    onLine: () => undefined,
    onDeath,
  })
}
