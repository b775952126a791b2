import { symlink } from 'node:fs/promises'
import path from 'node:path'
import { readArguments } from '@tripline/scripts/arguments'
import type { Closers } from '@tripline/testkit/closers'
import { runCommand } from '@tripline/testkit/infra/run-command'
import { temporaryFolder } from '@tripline/testkit/infra/temporary-folder'
import { rootDir } from '@tripline/testkit/paths'
import { phase } from '@tripline/testkit/progress'
import { z } from 'zod'
import { describeMachine } from '../machine.ts'
import { stoppable } from '../stoppable.ts'
import { comparisonOf } from './tables.ts'

const { has, values, words } = readArguments({
  help: `npm run bench -- compare COMMIT [NAME ...] [--turns N] [--quick]
Runs the benchmarks that are named, or all of them, at a commit and as they are in this folder, in turns, and shows the
medians of both, before and now. What is not committed counts as now.

  --turns N       how often each runs; 5 unless it is given
  --quick         each in short, to see whether something broke`,
  flags: ['quick'],
  values: z.object({ turns: z.coerce.number().int().min(1).default(5) }),
  words: 'any',
})
const [, commit, ...names] = words
if (commit === undefined) {
  console.error('Name the commit to compare with. --help explains more.')
  process.exit(2)
}

const closers = stoppable()
const stopping = new AbortController()
await closers.add(async () => stopping.abort())
try {
  const before = await phase(`checked out ${commit}`, () => checkOut(commit, closers))
  const printed: { before: string[]; now: string[] } = { before: [], now: [] }
  for (let turn = 1; turn <= values.turns; turn++) {
    printed.before.push(await phase(`${turn}: ran ${commit}`, () => run(before)))
    printed.now.push(await phase(`${turn}: ran this folder`, () => run(rootDir)))
  }
  console.log(`\n${describeMachine()}\n${commit} > this folder, medians of ${values.turns} turns\n`)
  console.log(comparisonOf(printed.before, printed.now))
  await closers.close()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  await closers.close()
  process.exit(1)
}

/** Returns a folder with the files of the commit; it is removed at the end. */
async function checkOut(commit: string, closers: Closers): Promise<string> {
  const { folder, remove } = await temporaryFolder()
  await closers.add(remove)
  const checkout = path.join(folder, 'before')
  const git = (...args: string[]): Promise<string> => runCommand('git', args, { cwd: rootDir })
  await git('worktree', 'add', '--detach', checkout, commit)
  await closers.add(async () => void (await git('worktree', 'remove', '--force', checkout)))
  await symlink(path.join(rootDir, '.tools'), path.join(checkout, '.tools'))
  return checkout
}

/** Runs the benchmarks in a folder as a person would there; returns their output. */
function run(cwd: string): Promise<string> {
  const args = ['scripts/bootstrap.mjs', 'bench', ...names, ...(has('quick') ? ['--quick'] : [])]
  return runCommand(process.execPath, args, { cwd, signal: stopping.signal })
}
