import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { recordedPid } from '@tripline/testkit/infra/process-record'

// Linux counts in hundredths of a second, on every machine that Node runs on.
const msPerTick = 10

interface Used {
  parent: number
  ms: number
}

/** Processor time that each process of a product has used so far, with those it started, in ms by its name; and this one's. */
export function processorTime(dataDir: string): Map<string, number> {
  const all = usedByAll()
  const withChildren = (pid: number): number => {
    const children = [...all].filter(([, { parent }]) => parent === pid)
    return children.reduce((sum, [child]) => sum + withChildren(child), all.get(pid)?.ms ?? 0)
  }
  const folder = path.join(dataDir, 'pids')
  const names = readdirSync(folder).map((file) => path.basename(file, '.json'))
  const used = new Map(
    names.map((name) => [name, withChildren(recordedPid(path.join(folder, `${name}.json`)) ?? 0)]),
  )
  const { user, system } = process.cpuUsage()
  return used.set('sender', (user + system) / 1000)
}

function usedByAll(): Map<number, Used> {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return new Map(pids.flatMap((pid) => usedBy(pid)))
}

/** Nothing for a process that has ended meanwhile. */
function usedBy(pid: string): [number, Used][] {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // Its name stands before, which may hold anything.
    const [, parent, ...others] = line.slice(line.lastIndexOf(')') + 2).split(' ')
    const ticks = others.slice(9, 13).reduce((sum, text) => sum + Number(text), 0)
    return [[Number(pid), { parent: Number(parent), ms: ticks * msPerTick }]]
  } catch {
    return []
  }
}
