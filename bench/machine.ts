import { availableParallelism, cpus, loadavg } from 'node:os'

/** The machine in one line, with how busy it was already: what a reader needs to judge the numbers. */
export function describeMachine(): string {
  const load = loadavg()[0]?.toFixed(1)
  const model = cpus()[0]?.model.trim() ?? 'unknown CPU'
  return `${availableParallelism()} cores of ${model}, ${process.platform}, Node ${process.version}, load ${load} before`
}
