import { spawn } from 'node:child_process'
import { mkdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { chromiumProgram } from './infra/chromium.ts'
import { rootDir } from './paths.ts'

interface Summary {
  success: boolean
  numPassedTests: number
  numFailedTests: number
  numRuntimeErrorTestSuites: number
}

const projects = ['unit', 'services', 'e2e', 'faults']
const jest = path.join(rootDir, 'node_modules/jest/bin/jest.js')
// Jest runs modules as modules only with this flag.
const nodeFlags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning']

const isLong = process.argv.includes('--long')
const patterns = process.argv.slice(2).filter((argument) => argument !== '--long')

// Installed beside the tests that need none; where it cannot be, the others say so.
const browser = patterns.length === 0 ? chromiumProgram().catch(() => undefined) : undefined

let passed = 0
let failed = 0
let isClean = true
for (const project of projects) {
  console.log(`\n── ${project} ${'─'.repeat(60 - project.length)}`)
  if (project === 'e2e') await browser
  const summary = await runProject(project)
  passed += summary?.numPassedTests ?? 0
  failed += (summary?.numFailedTests ?? 1) + (summary?.numRuntimeErrorTestSuites ?? 0)
  isClean &&= summary?.success ?? false
}
console.log(`\n${passed} passed, ${failed} failed`)
process.exit(isClean && failed === 0 ? 0 : 1)

/** What jest counted; undefined when it ended without counting. */
async function runProject(project: string): Promise<Summary | undefined> {
  const outputFile = path.join(rootDir, 'test-results', `${project}.json`)
  await mkdir(path.dirname(outputFile), { recursive: true })
  await rm(outputFile, { force: true })
  const report = ['--json', `--outputFile=${outputFile}`]
  const args = [
    ...nodeFlags,
    jest,
    '--selectProjects',
    project,
    '--passWithNoTests',
    ...report,
    `--maxWorkers=${workersOf(project)}`,
    ...patterns,
  ]
  const code = await run(args)
  const text = await readFile(outputFile, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const summary: Summary = JSON.parse(text)
  return { ...summary, success: summary.success && code === 0 }
}

/** Returns the number of files that run side by side on two cores: more where they wait for servers. */
function workersOf(project: string): number {
  // A given bus is one for all.
  if (process.env['NATS_URL']) return 1
  return { services: 5, e2e: 3 }[project] ?? 2
}

function run(args: string[]): Promise<number> {
  const env = { ...process.env, ...(isLong ? { TRIPLINE_LONG: '1' } : {}) }
  const child = spawn(process.execPath, args, { cwd: rootDir, stdio: 'inherit', env })
  const forward = (signal: NodeJS.Signals) => child.kill(signal)
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, forward)
  return new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)))
}
