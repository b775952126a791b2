import { chmod, cp, mkdir, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { rootDir } from '@tripline/testkit/paths'
import { phase } from '@tripline/testkit/progress'
import { buildWeb } from '@tripline/testkit/stack/build-web'
import { bundleServices } from '@tripline/testkit/stack/bundle-services'
import { schemas } from '@tripline/testkit/stack/setup-database'
import { readArguments } from './arguments.ts'

// One has a binary; the other is asked for by migrations, which are read one by one from their folders.
const besides = ['@node-rs/argon2', 'kysely']

const { words } = readArguments({
  help: 'npm run bundle -- [FOLDER]\nWrites what an image holds into the folder (dist), and takes away what is there.',
  words: 'any',
})
const folder = path.resolve(rootDir, words[0] ?? 'dist')
await phase('bundled', () => bundleInto(folder))

/** Writes all that an image holds into the folder: a bundle for each process, migrations, and the web app. */
async function bundleInto(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, 'package.json'), `${JSON.stringify({ type: 'module', private: true })}\n`)
  await Promise.all([bundle(path.join(folder, 'bundle')), copyPackages(folder), copyMigrations(folder)])
  await buildWeb(phase)
  const web = path.join(folder, 'web')
  await cp(path.join(rootDir, 'web/dist'), web, { recursive: true })
  // It was built in a temporary folder, which only its owner may enter.
  await chmod(web, 0o755)
}

async function bundle(outdir: string): Promise<void> {
  await bundleServices({
    folder: outdir,
    besides: {
      setup: 'scripts/setup-servers.ts',
      secrets: 'scripts/secrets.ts',
      probe: 'scripts/probe.ts',
    },
    external: besides,
  })
}

/** Copies the packages that are not bundled, with the binary for this platform. */
async function copyPackages(folder: string): Promise<void> {
  const asking = createRequire(path.join(rootDir, 'services/auth/package.json'))
  for (const name of besides) {
    const source = await packageFolder(asking, name)
    await copyPackage(source, path.join(folder, 'node_modules', name))
    const neighbors = path.join(source, '..')
    for (const neighbor of await readdir(neighbors)) {
      const full = path.posix.join(path.dirname(name), neighbor)
      if (neighbor.startsWith(`${path.basename(name)}-`))
        await copyPackage(
          await realpath(path.join(neighbors, neighbor)),
          path.join(folder, 'node_modules', full),
        )
    }
  }
}

async function packageFolder(asking: NodeJS.Require, name: string): Promise<string> {
  const [folder] = asking.resolve.paths(name) ?? []
  return await realpath(path.join(folder ?? '', name))
}

async function copyPackage(source: string, target: string): Promise<void> {
  await cp(source, target, {
    recursive: true,
    filter: (file) => path.basename(file) !== 'node_modules' || file === source,
  })
}

async function copyMigrations(folder: string): Promise<void> {
  for (const schema of schemas) {
    const migrations = path.join('services', schema, 'migrations')
    await cp(path.join(rootDir, migrations), path.join(folder, migrations), { recursive: true })
  }
}
