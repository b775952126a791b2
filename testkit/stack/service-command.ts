import path from 'node:path'
import { rootDir } from '../paths.ts'

/** The arguments with which Node runs a service, and settings for its process. */
interface ServiceCommand {
  args: string[]
  env: NodeJS.ProcessEnv
}

/** Returns how to run the service of a folder: from its bundle if there are some, else from its source. */
export function serviceCommand(folder: string): ServiceCommand {
  const bundles = process.env['SERVICE_BUNDLES']
  if (!bundles) {
    const main = path.join(rootDir, folder, 'src/main.ts')
    return { args: ['--disable-warning=ExperimentalWarning', main], env: {} }
  }
  const main = path.join(bundles, `${path.basename(folder)}.js`)
  // Source maps are read where an error has a stack: the executor's fills a heap that is small for a test's sake. The
  // compiled code is removed with the bundles: a cache knows it by their path, which is another in each run.
  return { args: [main], env: { NODE_COMPILE_CACHE: path.join(bundles, 'compiled') } }
}
