import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { rootDir } from '@tripline/testkit/paths'
import { fillIn } from './language-reference.ts'

// Writes what the language's tables say into the page about it.
const page = path.join(rootDir, 'docs/commands.md')
const before = await readFile(page, 'utf8')
const after = fillIn(before)
await writeFile(page, after)
console.log(
  before === after ? 'docs/commands.md is as the tables have it.' : 'docs/commands.md is written anew.',
)
