import { spawn } from 'node:child_process'
import { mkdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { chromiumProgram } from '@tripline/testkit/infra/chromium'
import { rootDir } from '@tripline/testkit/paths'
import { commonWarnings } from '@tripline/testkit/stack/service-warnings'
import { z } from 'zod'
import { readArguments } from './arguments.ts'
import { pressureBetween, readPressure } from './pressure.ts'

interface Summary {
  success: boolean
  numPassedTests: number
  numFailedTests: number
  numRuntimeErrorTestSuites: number
  testResults: { name: string; message: string; assertionResults: Assertion[] }[]
}

interface Assertion {
  fullName: string
  status: string
  failureMessages: string[]
}

/** Of many failures the first ones are enough. */
const mostFailuresShown = 20

const projects = ['unit', 'services', 'e2e', 'faults']
const jest = path.join(rootDir, 'node_modules/jest/bin/jest.js')
// Jest runs modules as modules only with this flag.
const nodeFlags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning']

const {
  has,
  values: { testNamePattern },
  words: patterns,
} = readArguments({
  help: `npm test -- [PATTERN ...] [--testNamePattern NAME] [--long]
Runs every test, or those in files whose path matches a pattern, against servers of its own.

  --testNamePattern NAME  only tests whose name matches
  --long                  with many times as many random inputs`,
  flags: ['long'],
  values: z.object({ testNamePattern: z.string().optional() }),
  words: 'any',
})

// Installed beside the tests that need none; where it cannot be, the others say so.
const browser = patterns.length === 0 ? chromiumProgram().catch(() => undefined) : undefined

let passed = 0
let failed = 0
let isClean = true
const troubles: string[] = []
for (const project of projects) {
  console.log(`\n── ${project} ${'─'.repeat(60 - project.length)}`)
  if (project === 'e2e') await browser
  const before = { at: performance.now(), pressure: await readPressure() }
  const summary = await runProject(project)
  const pressure = pressureBetween(before.pressure, await readPressure(), performance.now() - before.at)
  if (pressure !== '') console.log(`Waited for the machine: ${pressure}`)
  if (summary?.success !== true) troubles.push(...(await troublesOf(project, summary)))
  passed += summary?.numPassedTests ?? 0
  failed += (summary?.numFailedTests ?? 1) + (summary?.numRuntimeErrorTestSuites ?? 0)
  isClean &&= summary?.success ?? false
}
if (troubles.length > 0) console.log(`\n${troubles.join('\n')}`)
console.log(`\n${passed} passed, ${failed} failed`)
process.exit(isClean && failed === 0 ? 0 : 1)

/** Returns jest's summary; undefined when it ended without one. */
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
    ...(testNamePattern === undefined ? [] : [`--testNamePattern=${testNamePattern}`]),
    ...patterns,
  ]
  await rm(warningsOf(project), { force: true })
  const code = await run(args, { SERVICE_WARNINGS: warningsOf(project) })
  const text = await readFile(outputFile, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const summary: Summary = JSON.parse(text)
  return { ...summary, success: summary.success && code === 0 }
}

/** The file with what the services of a project's products warned of. */
function warningsOf(project: string): string {
  return path.join(rootDir, 'test-results', `${project}-warnings.log`)
}

/** Returns which tests of a project failed and how, and what its services warned of most often meanwhile. */
async function troublesOf(project: string, summary: Summary | undefined): Promise<string[]> {
  const failures = (summary?.testResults ?? []).flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed')
    const file = path.relative(rootDir, name)
    if (failed.length === 0 && message !== '') return [`${file}: ${firstLine(message)}`]
    return failed.map((one) => `${file}: ${one.fullName}: ${firstLine(one.failureMessages[0] ?? '')}`)
  })
  const warnings = await commonWarnings(warningsOf(project))
  return [
    `Failed in ${project}:`,
    ...failures.slice(0, mostFailuresShown),
    ...(warnings.length > 0 ? ['Its services warned of:', ...warnings] : []),
  ]
}

function firstLine(text: string): string {
  return stripVTControlCharacters(text).trim().split('\n', 1)[0] ?? ''
}

/** Returns the number of files that run side by side on two cores: more where they wait for servers, and compute little. */
function workersOf(project: string): number {
  // A given bus is one for all.
  if (process.env['NATS_URL']) return 1
  return project === 'services' ? 5 : 2
}

function run(args: string[], more: NodeJS.ProcessEnv): Promise<number> {
  const env = { ...process.env, ...more, ...(has('long') ? { TRIPLINE_LONG: '1' } : {}) }
  const child = spawn(process.execPath, args, { cwd: rootDir, stdio: 'inherit', env })
  const forward = (signal: NodeJS.Signals) => child.kill(signal)
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, forward)
  return new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)))
}
