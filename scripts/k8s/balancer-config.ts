import { readFileSync } from 'node:fs'
import path from 'node:path'
import { rootDir } from '@tripline/testkit/paths'

/** Returns the lines of a section of the balancer's configuration. */
export function balancerSection(heading: string): string[] {
  const text = readFileSync(path.join(rootDir, 'deploy/haproxy.cfg'), 'utf8')
  // A heading begins its line, what belongs to it is indented.
  const sections = text.split(/\n(?=\S)/)
  const [, ...lines] = sections.find((section) => section.startsWith(`${heading}\n`))?.split('\n') ?? []
  return lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'))
}
