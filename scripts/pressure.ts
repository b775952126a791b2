import { readFile } from 'node:fs/promises'

const resources = ['cpu', 'io', 'memory'] as const

/** Total time in µs for which something waited for each resource of the machine; empty where it reports none. */
export type Pressure = Partial<Record<(typeof resources)[number], number>>

/** Reads how long something has waited for each resource since the machine was started. */
export async function readPressure(): Promise<Pressure> {
  const reading = resources.map(async (resource) => {
    const text = await readFile(`/proc/pressure/${resource}`, 'utf8').catch(() => '')
    const total = /^some .*total=(\d+)$/m.exec(text)?.[1]
    return total === undefined ? [] : [[resource, Number(total)]]
  })
  return Object.fromEntries((await Promise.all(reading)).flat())
}

/** Returns the parts of a time in which something waited, such as `cpu 93 %, io 2 %`; empty where that is not known. */
export function pressureBetween(before: Pressure, after: Pressure, ms: number): string {
  const parts = resources.flatMap((resource) => {
    const [from, to] = [before[resource], after[resource]]
    return from === undefined || to === undefined
      ? []
      : [`${resource} ${Math.round((to - from) / ms / 10)} %`]
  })
  return parts.join(', ')
}
