// node scripts/web-sizes.ts: builds the web app, prints what each screen loads, and fails where that is too much.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { rootDir } from '@tripline/testkit/paths'
import { phase } from '@tripline/testkit/progress'
import { buildWeb } from '@tripline/testkit/stack/build-web'
import { z } from 'zod'

const builtDir = path.join(rootDir, 'web/dist')

/** The limits of a screen: kilobytes of scripts as they are sent compressed, and files in all. */
interface Limit {
  scriptsKb: number
  files?: number
}

const Manifest = z.record(
  z.string(),
  z.object({
    file: z.string(),
    imports: z.array(z.string()).optional(),
    css: z.array(z.string()).optional(),
    isDynamicEntry: z.boolean().optional(),
  }),
)
type Manifest = z.infer<typeof Manifest>

const app = 'index.html'
const landing = 'landing.html'
const editor = 'src/ui/editor/code-editor.ts'
const limits = {
  landing: { scriptsKb: 80, files: 8 },
  login: { scriptsKb: 285 },
  open: { scriptsKb: 330 },
  protected: { scriptsKb: 410 },
} satisfies Record<string, Limit>
const editorLimitKb = 125
const styleLimitKb = 65
const landingPageLimitKb = 12

await buildWeb(phase)
const manifest = Manifest.parse(
  JSON.parse(await readFile(path.join(builtDir, '.vite/manifest.json'), 'utf8')),
)
let faults = 0
for (const [name, keys, limit] of screens(manifest)) await judgeScreen(name, keys, limit)
judge('editor, besides the screen', editorLimitKb, await weigh(editorFiles()))
judge('styles of the app', styleLimitKb, await weigh(filesOf([app]).styles))
judge('landing page with its styles', landingPageLimitKb, await weigh([landing]))
if (faults > 0) process.exit(1)

/** Every screen with the modules that it begins with. */
function screens(all: Manifest): [name: string, keys: string[], limit: Limit][] {
  const pages = Object.keys(all).filter((key) => /^src\/features\/.*-page\.tsx$/.test(key))
  return [
    ['landing', [landing], limits.landing],
    ...pages.map((key): [string, string[], Limit] => {
      if (!/\/(session|legal)\//.test(key))
        return [nameOf(key), [app, 'src/app/shell.tsx', key], limits.protected]
      return [nameOf(key), [app, key], key.endsWith('/login-page.tsx') ? limits.login : limits.open]
    }),
  ]
}

function nameOf(key: string): string {
  return path.basename(key, '-page.tsx')
}

async function judgeScreen(name: string, keys: string[], limit: Limit): Promise<void> {
  const { scripts, styles } = filesOf(keys)
  const files = scripts.length + styles.length
  const isOver = limit.files !== undefined && files > limit.files
  if (isOver) faults += 1
  judge(
    `${name}, ${files} files${isOver ? ` (at most ${limit.files})` : ''}`,
    limit.scriptsKb,
    await weigh(scripts),
  )
}

function judge(name: string, limitKb: number, kb: number): void {
  const isOver = kb > limitKb
  if (isOver) faults += 1
  console.log(`${isOver ? 'TOO MUCH' : 'ok      '} ${kb.toFixed(1).padStart(6)} of ${limitKb} kB  ${name}`)
}

/** All files that are loaded with these modules. */
function filesOf(keys: string[]): { scripts: string[]; styles: string[] } {
  const seen = new Set<string>()
  const visit = (key: string) => {
    if (seen.has(key)) return
    seen.add(key)
    for (const next of manifest[key]?.imports ?? []) visit(next)
  }
  for (const key of keys) visit(key)
  const parts = [...seen].map((key) => {
    const part = manifest[key]
    if (part === undefined) throw new Error(`The build has no ${key}`)
    return part
  })
  // The landing page has its styles in itself.
  const styles = keys.includes(landing) ? [] : parts.flatMap(({ css = [] }) => css)
  return { scripts: [...new Set(parts.map(({ file }) => file))], styles: [...new Set(styles)] }
}

/** Returns the scripts that the editor adds to its screen. */
function editorFiles(): string[] {
  const before = new Set(
    filesOf([app, 'src/app/shell.tsx', 'src/features/terminal/terminal-page.tsx']).scripts,
  )
  return filesOf([editor]).scripts.filter((file) => !before.has(file))
}

async function weigh(files: readonly string[]): Promise<number> {
  let bytes = 0
  for (const file of files) bytes += gzipSync(await readFile(path.join(builtDir, file)), { level: 9 }).length
  return bytes / 1000
}
