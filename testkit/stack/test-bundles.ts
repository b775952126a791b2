import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { temporaryFolder } from '../infra/temporary-folder.ts'
import { rootDir } from '../paths.ts'
import { bundleServices } from './bundle-services.ts'

// It has a binary, which is found from its own folder alone.
const native = '@node-rs/argon2'

/**
 * Bundles the present code for services of tests, which start in half the processor time, and puts the folder into the
 * environment. Returns how to remove it.
 */
export async function bundleForTests(): Promise<() => Promise<void>> {
  const { folder, remove } = await temporaryFolder()
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }\n')
  const file = createRequire(path.join(rootDir, 'services/auth/package.json')).resolve(native)
  await bundleServices({
    folder,
    external: [file],
    alias: { [native]: file },
  })
  process.env['SERVICE_BUNDLES'] = folder
  return remove
}
