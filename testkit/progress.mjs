import { performance } from 'node:perf_hooks'

/** Runs one phase of the work and shows its name while it runs, and the time it took afterwards. */
export async function phase(label, work) {
  const start = performance.now()
  if (process.stdout.isTTY) process.stdout.write(`… ${label}`)
  const result = await work()
  const seconds = ((performance.now() - start) / 1000).toFixed(1).padStart(5)
  process.stdout.write(`${process.stdout.isTTY ? '\r\x1b[K' : ''}${seconds} s  ${label}\n`)
  return result
}
