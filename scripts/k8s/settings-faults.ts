import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Workload } from '@tripline/testkit/k8s/document'
import { rootDir } from '@tripline/testkit/paths'
import { type ServiceName, serviceFolder, serviceNames } from '@tripline/testkit/stack/services'
import type { Settings } from '../service-configs.ts'

/** Returns the faults of a workload's settings: unknown names, wrong values, and missing settings. */
export function settingsFaults({ name, pod }: Workload, { shape }: Settings): string[] {
  const given = new Map(pod.containers.flatMap(({ env }) => env).map(({ name: key, value }) => [key, value]))
  const faults: string[] = []
  for (const [key, value] of given) {
    const setting = shape[key] ?? shape[key.replace(/_FILE$/, '')]
    if (setting === undefined) faults.push(`${name} does not know the setting ${key}`)
    else if (value !== undefined && !key.endsWith('_FILE') && !setting.safeParse(value).success)
      faults.push(`${name} does not take this value of ${key}`)
  }
  for (const [key, setting] of Object.entries(shape)) {
    if (!setting.safeParse(undefined).success && !given.has(key) && !given.has(`${key}_FILE`))
      faults.push(`${name} needs the setting ${key}`)
  }
  return faults
}

/** Whether a service has the time to end by itself before it is killed. */
export function graceFaults({ name, pod }: Workload): string[] {
  const service = serviceNames.find((known) => known === name)
  if (service === undefined) return []
  const notice = pod.containers[0]?.env.find((variable) => variable.name === 'END_NOTICE_MS')
  const neededMs = Number(notice?.value ?? 0) + graceMsOf(service)
  if (pod.terminationGracePeriodSeconds * 1000 > neededMs) return []
  return [`${name} may take ${neededMs} ms to end and is killed before`]
}

function graceMsOf(service: ServiceName): number {
  const main = readFileSync(path.join(rootDir, serviceFolder(service), 'src/main.ts'), 'utf8')
  const [, graceMs] = /graceMs: ([\d_]+)/.exec(main) ?? []
  if (graceMs === undefined) throw new Error(`${service} does not say how long it takes to end`)
  return Number(graceMs.replaceAll('_', ''))
}
