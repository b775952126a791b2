import { existsSync, readdirSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { toolsDir } from '../paths.ts'
import { phase } from '../progress.mjs'
import { findProgram } from './find-program.ts'
import { runCommand } from './run-command.ts'

interface Source {
  text: string
  suite: string
  kind: 'sources' | 'list'
}

/** A package and where it comes from; without a suite it is the machine's own. */
export interface DebianPackage {
  name: string
  suite?: string
  /** Also what the package needs and the machine does not have. */
  withDependencies: boolean
}

/** The folder into which a Debian package is unpacked, once and without installing it; undefined where apt is not. */
export async function unpackDebianPackage(wanted: DebianPackage): Promise<string | undefined> {
  const place = path.join(toolsDir, [wanted.name, wanted.suite].filter(Boolean).join('-'))
  if (existsSync(place)) return place
  const source = await ownSource()
  if (!source || findProgram('apt-get').length === 0 || findProgram('dpkg').length === 0) return undefined
  await phase(`fetched ${wanted.name} from ${wanted.suite ?? source.suite}`, () =>
    fetchTo(place, wanted, source),
  )
  return place
}

/** The folder of an unpacked package's shared libraries, which carries the machine's architecture in its name. */
export function libraryFolder(unpacked: string): string {
  const parent = path.join(unpacked, 'usr/lib')
  const [triplet = ''] = readdirSync(parent).filter((name) => name.endsWith('-linux-gnu'))
  return path.join(parent, triplet)
}

/** The machine's distribution by its own name for it, such as `debian`. */
export async function distribution(): Promise<string | undefined> {
  return (await osRelease())['ID']
}

/** Writes a list of apt sources that has one suite from where this machine gets its own; returns its path. */
export async function writeSuiteSources(folder: string, suite: string): Promise<string> {
  const source = await ownSource()
  if (!source) throw new Error('No apt source of this machine holds its distribution.')
  return writeSources(folder, source, suite)
}

async function writeSources(folder: string, source: Source, suite: string): Promise<string> {
  const list = path.join(folder, `own.${source.kind}`)
  await writeFile(list, suite === source.suite ? source.text : withSuite(source, suite))
  return list
}

async function fetchTo(place: string, wanted: DebianPackage, source: Source): Promise<void> {
  await mkdir(toolsDir, { recursive: true })
  const work = await mkdtemp(path.join(toolsDir, 'apt-'))
  try {
    const archives = await download(work, wanted, source)
    const unpacked = path.join(work, 'unpacked')
    for (const archive of archives) await runCommand('dpkg', ['-x', archive, unpacked])
    await rename(unpacked, place).catch((error) => {
      if (!existsSync(place)) throw error
    })
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

async function download(work: string, { name, suite, withDependencies }: DebianPackage, source: Source) {
  const list = await writeSources(work, source, suite ?? source.suite)
  const archives = path.join(work, 'archives')
  for (const folder of ['lists/partial', 'archives/partial'])
    await mkdir(path.join(work, folder), { recursive: true })
  const options = privateOptions(work, list)
  await runCommand('apt-get', [...options, '--quiet', 'update'])
  const install = ['--download-only', '--yes', '--no-install-recommends', 'install', name]
  if (withDependencies) await runCommand('apt-get', [...options, ...install], { cwd: archives })
  else await runCommand('apt-get', [...options, 'download', name], { cwd: archives })
  const files = await readdir(archives)
  return files.filter((file) => file.endsWith('.deb')).map((file) => path.join(archives, file))
}

/** Options by which apt reads and writes nothing of the system but its keys, proxies and installed packages. */
function privateOptions(work: string, list: string): string[] {
  const options = {
    'Dir::Etc::SourceList': list,
    'Dir::Etc::SourceParts': '/dev/null',
    'Dir::Etc::Preferences': '/dev/null',
    'Dir::Etc::PreferencesParts': '/dev/null',
    'Dir::State::Lists': path.join(work, 'lists'),
    'Dir::Cache': work,
    'Dir::Cache::Archives': path.join(work, 'archives'),
    'Debug::NoLocking': '1',
    // The user apt would change to cannot enter a private folder.
    'APT::Sandbox::User': 'root',
    'Acquire::Languages': 'none',
    'Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled': 'false',
    'Acquire::IndexTargets::deb::DEP-11::DefaultEnabled': 'false',
    'Acquire::Retries': '2',
    'Acquire::http::Timeout': '20',
  }
  return Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`])
}

/** The entry of the machine's own apt sources that holds its distribution: mirror, options and signing key. */
async function ownSource(): Promise<Source | undefined> {
  const codename = (await osRelease())['VERSION_CODENAME'] ?? ''
  for (const file of await sourceFiles()) {
    const text = await readFile(file, 'utf8').catch(() => '')
    const found = file.endsWith('.sources') ? findStanza(text, codename) : findLine(text, codename)
    if (found) return found
  }
  return undefined
}

async function sourceFiles(): Promise<string[]> {
  const folder = '/etc/apt/sources.list.d'
  const parts = await readdir(folder).catch(() => [])
  const files = parts.filter((part) => /\.(sources|list)$/.test(part)).map((part) => path.join(folder, part))
  return ['/etc/apt/sources.list', ...files]
}

/** The deb822 stanza of a suite, reduced to that suite alone. */
export function findStanza(text: string, suite: string): Source | undefined {
  for (const stanza of text.split(/\n\s*\n/)) {
    const types = /^Types:(.*)$/m.exec(stanza)?.[1]?.trim().split(/\s+/) ?? []
    const suites = /^Suites:(.*)$/m.exec(stanza)?.[1]?.trim().split(/\s+/) ?? []
    if (types.includes('deb') && suites.includes(suite) && !/^Enabled:\s*no/im.test(stanza))
      return {
        text: `${stanza.trim().replace(/^Suites:.*$/m, `Suites: ${suite}`)}\n`,
        suite,
        kind: 'sources',
      }
  }
  return undefined
}

/** The one-line entry of a suite. */
export function findLine(text: string, suite: string): Source | undefined {
  const line = text.split('\n').find((one) => {
    const [type, ...words] = one
      .replace(/\[[^\]]*\]/, '')
      .trim()
      .split(/\s+/)
    return type === 'deb' && words[1] === suite
  })
  return line === undefined ? undefined : { text: `${line}\n`, suite, kind: 'list' }
}

function withSuite({ text, suite, kind }: Source, wanted: string): string {
  if (kind === 'sources') return text.replace(/^Suites:.*$/m, `Suites: ${wanted}`)
  return text.replace(` ${suite} `, ` ${wanted} `)
}

async function osRelease(): Promise<Record<string, string>> {
  const text = await readFile('/etc/os-release', 'utf8').catch(() => '')
  return Object.fromEntries(text.split('\n').map((line) => line.replace(/"/g, '').split('=', 2)))
}
