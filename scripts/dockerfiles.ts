// Says what is wrong with the Dockerfiles of the repository; ends with 1 if anything is.
import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'
import { rootDir } from '@tripline/testkit/paths'
import { validate } from 'dockerfile-utils'

/** Returns the faults of a Dockerfile, a line for each. */
export function dockerfileFaults(text: string): string[] {
  return validate(text).map(({ range, message }) => `line ${range.start.line + 1}: ${message}`)
}

if (import.meta.main) {
  let faults = 0
  const exclude = ['**/node_modules', '.tools', '.data']
  for await (const file of glob('**/{*.,}Dockerfile', { cwd: rootDir, exclude })) {
    for (const fault of dockerfileFaults(await readFile(path.join(rootDir, file), 'utf8'))) {
      faults += 1
      console.log(`${file}, ${fault}`)
    }
  }
  process.exit(faults === 0 ? 0 : 1)
}
