import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { rootDir } from '@tripline/testkit/paths'

const roots = ['proto', 'kit', 'testkit', 'scripts', 'services', 'gateway', 'web', 'e2e', 'bench']
const generated = 'web/src/shared/client.ts'
const sentenceEnd = /(?<=[.;:?!])\s+(?=[A-Z`"'])|(?<=[.!?])\s+/
// A sentence that begins so makes its reader wait for the noun that it is about.
const waits =
  /^(?:Who(?:ever|m|se)?|What(?:ever)?|Where(?:ver)?|How|That (?:an?|the|it|they|th[eo]se|no|nobody|nothing|one|some\w*|any\w*|all|each|every|his|its|their|our))\b/

/** The repository's sources, without what is generated. */
export function sourceFiles(): string[] {
  return globSync(`{${roots.join(',')}}/**/*.{ts,tsx,mts,mjs}`, {
    cwd: rootDir,
    exclude: (file) => ['node_modules', 'dist'].includes(path.basename(file)),
  }).filter((file) => file !== generated)
}

/** Returns the share of comment sentences that do not begin with their noun or verb, of each part and of all. */
export function commentShare(): string {
  const counts = [...Map.groupBy(sourceFiles(), (file) => file.split(path.sep)[0] ?? '')].map(
    ([root, files]) => {
      const sentences = files.flatMap((file) => sentencesOf(readFileSync(path.join(rootDir, file), 'utf8')))
      return { root, all: sentences.length, waiting: sentences.filter((each) => waits.test(each)).length }
    },
  )
  const sum = (of: 'all' | 'waiting') => counts.reduce((total, each) => total + each[of], 0)
  const parts = counts
    .filter(({ waiting }) => waiting > 0)
    .map(({ root, ...count }) => `${root} ${percent(count)}`)
  const whole = percent({ all: sum('all'), waiting: sum('waiting') })
  return `Comment sentences that begin with What, Who, Where, How: ${[whole, ...parts].join(', ')}`
}

/** Returns the sentences of the comments that have lines of their own. */
function sentencesOf(text: string): string[] {
  const comments = text.match(/^[ \t]*\/\*\*[\s\S]*?\*\/|(?:^[ \t]*\/\/(?! biome-|\/).*\n)+/gm) ?? []
  return comments
    .map((comment) => comment.replaceAll(/^[ \t]*(?:\/\*\*|\*\/|\*|\/\/)|\*\/$/gm, ''))
    .flatMap((comment) => comment.replaceAll(/\s+/g, ' ').trim().split(sentenceEnd))
    .filter((sentence) => /\w/.test(sentence))
}

function percent({ all, waiting }: { all: number; waiting: number }): string {
  return `${((100 * waiting) / Math.max(all, 1)).toFixed(1)} %`
}
