import path from 'node:path'
import { runCommand } from './infra/run-command.ts'
import { rootDir } from './paths.ts'
import { phase } from './progress.mjs'

const sources = ['proto', 'kit', 'testkit', 'scripts', 'services', 'gateway', 'web', 'e2e', 'bench']

const checks = {
  'format and lint': ['biome', 'check', '--error-on-warnings', '.'],
  types: ['tsc', '-p', '.'],
  'types of the web app': ['tsc', '-p', 'web'],
  'import rules': ['depcruise', '--config', '.dependency-cruiser.cjs', '--output-type', 'err', ...sources],
  'dead code': ['knip', '--no-progress'],
  'client of the web app': ['node', 'scripts/web-client.ts', '--check'],
  Dockerfiles: ['node', 'scripts/dockerfiles.ts'],
  'sizes of the web app': ['node', 'scripts/web-sizes.ts'],
}

let failed = 0
for (const [label, [tool = '', ...args]] of Object.entries(checks)) {
  const complaint = await phase(label, () => complaintOf(tool, args))
  if (complaint === undefined) continue
  failed += 1
  console.log(complaint)
}
console.log(failed === 0 ? 'All checks passed.' : `${failed} of ${Object.keys(checks).length} checks failed.`)
process.exit(failed === 0 ? 0 : 1)

/** What the tool said when it found something. */
async function complaintOf(tool: string, args: string[]): Promise<string | undefined> {
  try {
    const program = tool === 'node' ? process.execPath : path.join(rootDir, 'node_modules/.bin', tool)
    await runCommand(program, args, { cwd: rootDir })
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
