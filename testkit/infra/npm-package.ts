import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { toolsDir } from '../paths.ts'
import { phase } from '../progress.mjs'
import { runCommand } from './run-command.ts'

/** The folder of an npm package that is fetched into the tools, once, without its install scripts. */
export async function fetchNpmPackage(
  name: string,
  version: string,
  flags: readonly string[] = [],
): Promise<string> {
  const place = path.join(toolsDir, `${name.replace(/\W+/g, '-').replace(/^-/, '')}-${version}`)
  const folder = path.join(place, 'node_modules', name)
  if (!existsSync(folder))
    await phase(`fetched ${name}@${version}`, () => install(`${name}@${version}`, place, flags))
  return folder
}

async function install(spec: string, place: string, more: readonly string[]): Promise<void> {
  await mkdir(toolsDir, { recursive: true })
  const fresh = await mkdtemp(path.join(toolsDir, 'npm-'))
  // Programs inside may have to run as another user than root.
  await chmod(fresh, 0o755)
  const flags = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund', ...more]
  await runCommand('npm', ['install', '--prefix', fresh, ...flags, '--loglevel=error', spec])
  await rename(fresh, place).catch(() => rm(fresh, { recursive: true, force: true }))
}
