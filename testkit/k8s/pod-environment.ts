import { z } from 'zod'
import type { KubernetesObject, Workload } from './document.ts'

/** The places that a pod's settings name, and their stand-ins outside a cluster: addresses, folders. */
export type LocalPaths = ReadonlyMap<string, string>

// A mark of its content follows the name of the map.
const FromSite = z.object({
  configMapKeyRef: z.object({ name: z.string().regex(/^(site|bus)-/), key: z.string() }),
})
const ConfigMap = z.looseObject({ data: z.record(z.string(), z.string()) })

/** The settings that an overlay gives to a pod, with local paths and with these values of the site and the bus. */
export function podEnvironment(
  { pod }: Workload,
  localPaths: LocalPaths,
  site: Readonly<Record<string, string>>,
): Record<string, string> {
  const variables = pod.containers.flatMap(({ env }) => env)
  return Object.fromEntries(
    variables.map(({ name, value, valueFrom }) => {
      const text = value ?? site[FromSite.parse(valueFrom).configMapKeyRef.key]
      if (text === undefined) throw new Error(`The site says nothing about ${name}`)
      return [name, withLocalPaths(text, localPaths)]
    }),
  )
}

/** Returns the arguments of a pod's Node. */
export function podArguments({ pod }: Workload, localPaths: LocalPaths): string[] {
  return pod.containers.flatMap(({ args }) => args).map((text) => withLocalPaths(text, localPaths))
}

/** The files of the map whose name, without what marks its content, is this. */
export function filesOf(objects: readonly KubernetesObject[], name: string): Record<string, string> {
  const found = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.startsWith(name))
  return ConfigMap.parse(found).data
}

function withLocalPaths(text: string, localPaths: LocalPaths): string {
  let replaced = text
  for (const [from, to] of localPaths) replaced = replaced.replaceAll(from, to)
  return replaced
}
