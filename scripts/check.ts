import path from 'node:path'
import { runCommand } from '@tripline/testkit/infra/run-command'
import { rootDir } from '@tripline/testkit/paths'
import { readArguments } from './arguments.ts'
import { commentShare } from './comment-share.ts'

const sources = ['proto', 'kit', 'testkit', 'scripts', 'services', 'gateway', 'web', 'e2e', 'bench']

// The longest ones begin first.
const checks = Object.entries({
  types: ['tsc', '-p', '.'],
  'format and lint': ['biome', 'check', '--error-on-warnings', '.'],
  'types of the web app': ['tsc', '-p', 'web'],
  'import rules': ['depcruise', '--config', '.dependency-cruiser.cjs', '--output-type', 'err', ...sources],
  'dead code': ['knip', '--no-progress'],
  'sizes of the web app': ['node', 'scripts/web-sizes.ts'],
  'client of the web app': ['node', 'scripts/web-client.ts', '--check'],
  Dockerfiles: ['node', 'scripts/dockerfiles.ts'],
})

readArguments({ help: `npm run check\nChecks the sources:\n  ${checks.map(([name]) => name).join('\n  ')}` })
let failed = 0
const waiting = checks.values()
await Promise.all([runWaiting(), runWaiting()])
console.log(commentShare())
console.log(failed === 0 ? 'All checks passed.' : `${failed} of ${checks.length} checks failed.`)
process.exit(failed === 0 ? 0 : 1)

/** Runs checks one after the other until none waits any more. */
async function runWaiting(): Promise<void> {
  for (const [label, [tool = '', ...args]] of waiting) {
    const begun = performance.now()
    const complaint = await complaintOf(tool, args)
    console.log(`${((performance.now() - begun) / 1000).toFixed(1).padStart(5)} s  ${label}`)
    if (complaint === undefined) continue
    failed += 1
    console.log(complaint)
  }
}

/** Returns the output of a tool that failed. */
async function complaintOf(tool: string, args: string[]): Promise<string | undefined> {
  try {
    const program = tool === 'node' ? process.execPath : path.join(rootDir, 'node_modules/.bin', tool)
    await runCommand(program, args, { cwd: rootDir })
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
