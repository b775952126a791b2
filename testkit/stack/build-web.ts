import { createHash } from 'node:crypto'
import { glob, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { runCommand } from '../infra/run-command.ts'
import { rootDir } from '../paths.ts'

type Phase = <T>(label: string, work: () => Promise<T>) => Promise<T>

const webDir = path.join(rootDir, 'web')
const builtDir = path.join(webDir, 'dist')
const cacheDir = path.join(rootDir, 'node_modules/.cache')
const stampName = 'build-stamp.txt'
const sources = ['web/*.{html,ts,json}', 'web/src/**/*', 'web/public/**/*', 'proto/**/*.ts', 'pnpm-lock.yaml']

/** Builds the web app unless what is built comes from exactly these sources. */
export async function buildWeb(phase: Phase = (_label, work) => work()): Promise<void> {
  const stamp = await sourcesStamp()
  if ((await builtStamp()) === stamp) return
  await phase('built the web app', () => build(stamp))
}

// Built beside its place and then renamed, so that a half-built app is never served.
async function build(stamp: string): Promise<void> {
  await mkdir(cacheDir, { recursive: true })
  const fresh = await mkdtemp(path.join(cacheDir, 'web-'))
  const former = `${fresh}-former`
  try {
    const vite = path.join(webDir, 'node_modules/vite/bin/vite.js')
    await runCommand(
      process.execPath,
      [vite, 'build', '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn'],
      { cwd: webDir },
    )
    await writeFile(path.join(fresh, stampName), stamp)
    // Renamed away in one step, since another process may put its build there meanwhile.
    await rename(builtDir, former).catch(() => undefined)
    await rename(fresh, builtDir).catch(async (error: unknown) => {
      if ((await builtStamp()) !== stamp) throw error
    })
  } finally {
    await Promise.all([fresh, former].map((folder) => rm(folder, { recursive: true, force: true })))
  }
}

/** From which sources the app was built that is there, if there is one. */
async function builtStamp(): Promise<string | undefined> {
  return await readFile(path.join(builtDir, stampName), 'utf8').catch(() => undefined)
}

async function sourcesStamp(): Promise<string> {
  const files: string[] = []
  const exclude = ['**/node_modules/**', '**/*.test.*']
  for await (const file of glob(sources, { cwd: rootDir, exclude })) files.push(file)
  const hash = createHash('sha256')
  for (const file of files.sort()) {
    const content = await readFile(path.join(rootDir, file)).catch(() => undefined)
    if (content) hash.update(file).update(content)
  }
  return hash.digest('hex')
}
