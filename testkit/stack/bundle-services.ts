import path from 'node:path'
import { build, stop } from 'esbuild'
import { rootDir } from '../paths.ts'
import { serviceFolder, serviceNames } from './services.ts'

// Bundled modules of the older kind ask for `require`, which a module has not; the names are unlikely ones, since
// bundled code has its own imports of the same thing.
const banner = `import { createRequire as tripline_createRequire } from 'node:module'
const require = tripline_createRequire(import.meta.url)`

// Optional parts of ws that nobody installs.
const notInstalled = ['bufferutil', 'utf-8-validate']

const services = {
  ...Object.fromEntries(serviceNames.map((name) => [name, `${serviceFolder(name)}/src/main.ts`])),
  'executor-side-thread': 'services/executor/src/side-thread/main.ts',
}

/** The options of bundles of all services, and of what else is to be bundled. */
interface BundleOptions {
  folder: string
  /** Paths from the root of the repository, by the names of their bundles. */
  besides?: Readonly<Record<string, string>>
  external: readonly string[]
  /** Other files for imports. */
  alias?: Record<string, string>
}

/** Writes a bundle for each process. */
export async function bundleServices({
  folder,
  besides,
  external,
  alias = {},
}: BundleOptions): Promise<void> {
  const entries = Object.entries({ ...services, ...besides })
  await build({
    entryPoints: Object.fromEntries(entries.map(([name, file]) => [name, path.join(rootDir, file)])),
    outdir: folder,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    keepNames: true,
    legalComments: 'linked',
    banner: { js: banner },
    external: [...external, ...notInstalled],
    alias,
    logLevel: 'warning',
  })
  await stop()
}
