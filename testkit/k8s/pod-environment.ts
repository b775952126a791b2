import { z } from 'zod'
import type { KubernetesObject, Workload } from './document.ts'

/** The places that a pod's settings name, and their stand-ins outside a cluster: addresses, folders. */
export type Places = ReadonlyMap<string, string>

// A mark of its content follows the name of the map.
const FromSite = z.object({
  configMapKeyRef: z.object({ name: z.string().regex(/^(site|bus)-/), key: z.string() }),
})
const ConfigMap = z.looseObject({ data: z.record(z.string(), z.string()) })

/** The settings that an overlay gives to a pod, with other places and with this said of the site and the bus. */
export function podEnvironment(
  { pod }: Workload,
  places: Places,
  site: Readonly<Record<string, string>>,
): Record<string, string> {
  const variables = pod.containers.flatMap(({ env }) => env)
  return Object.fromEntries(
    variables.map(({ name, value, valueFrom }) => {
      const text = value ?? site[FromSite.parse(valueFrom).configMapKeyRef.key]
      if (text === undefined) throw new Error(`The site says nothing about ${name}`)
      return [name, inPlace(text, places)]
    }),
  )
}

/** Returns the arguments of a pod's Node. */
export function podArguments({ pod }: Workload, places: Places): string[] {
  return pod.containers.flatMap(({ args }) => args).map((text) => inPlace(text, places))
}

/** The files of the map whose name, without what marks its content, is this. */
export function filesOf(objects: readonly KubernetesObject[], name: string): Record<string, string> {
  const found = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.startsWith(name))
  return ConfigMap.parse(found).data
}

function inPlace(text: string, places: Places): string {
  let placed = text
  for (const [from, to] of places) placed = placed.replaceAll(from, to)
  return placed
}
