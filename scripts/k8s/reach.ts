import { z } from 'zod'
import type { KubernetesObject, Workload } from './document.ts'

const Selector = z.looseObject({
  matchLabels: z.record(z.string(), z.string()).default({}),
  matchExpressions: z
    .array(z.looseObject({ key: z.string(), operator: z.literal('In'), values: z.array(z.string()) }))
    .default([]),
})
type Selector = z.infer<typeof Selector>

const Peer = z.looseObject({
  podSelector: Selector.optional(),
  namespaceSelector: Selector.optional(),
  ipBlock: z.looseObject({ cidr: z.string() }).optional(),
})
const Ports = z.array(z.looseObject({ port: z.number() }))
const Policy = z.looseObject({
  podSelector: Selector,
  policyTypes: z.array(z.enum(['Ingress', 'Egress'])),
  ingress: z.array(z.looseObject({ from: z.array(Peer), ports: Ports })).default([]),
  egress: z.array(z.looseObject({ to: z.array(Peer), ports: Ports })).default([]),
})

/** One way on which a connection may be made; `outside` is the internet, `namespace:<name>` another namespace. */
export type Way = `${string} -> ${string}:${number}`

/** Every way that the policies leave open: within the namespace both sides have to allow it. */
export function openWays(objects: readonly KubernetesObject[], workloads: readonly Workload[]): Set<Way> {
  const policies = objects
    .filter(({ kind }) => kind === 'NetworkPolicy')
    .map((object) => Policy.parse(object['spec']))
  const out = new Set<Way>()
  const into = new Set<Way>()
  for (const { podSelector, ingress, egress } of policies) {
    for (const { name } of workloads.filter(({ labels }) => selects(podSelector, labels))) {
      for (const { to, ports } of egress)
        for (const other of named(to, workloads))
          for (const { port } of ports) out.add(`${name} -> ${other}:${port}`)
      for (const { from, ports } of ingress)
        for (const other of named(from, workloads))
          for (const { port } of ports) into.add(`${other} -> ${name}:${port}`)
    }
  }
  return new Set([...waysThrough(out, into, workloads)])
}

function waysThrough(out: Set<Way>, into: Set<Way>, workloads: readonly Workload[]): Way[] {
  const inside = new Set(workloads.map(({ name }) => name))
  const isInside = (way: Way, side: 0 | 1): boolean =>
    inside.has(way.split(' -> ')[side]?.split(':')[0] ?? '')
  const leaving = [...out].filter((way) => !isInside(way, 1) || into.has(way))
  return [...leaving, ...[...into].filter((way) => !isInside(way, 0))]
}

/** Whether the policies deny what they do not allow, to every pod and both ways. */
export function deniesByDefault(objects: readonly KubernetesObject[]): boolean {
  return objects.some((object) => {
    if (object.kind !== 'NetworkPolicy') return false
    const { podSelector, policyTypes, ingress, egress } = Policy.parse(object['spec'])
    return selects(podSelector, {}) && policyTypes.length === 2 && ingress.length + egress.length === 0
  })
}

function named(peers: z.infer<typeof Peer>[], workloads: readonly Workload[]): string[] {
  const names = peers.flatMap(({ podSelector, namespaceSelector, ipBlock }) => {
    if (ipBlock !== undefined) return ['outside']
    if (namespaceSelector !== undefined)
      return [`namespace ${namespaceSelector.matchLabels['kubernetes.io/metadata.name'] ?? 'any'}`]
    if (podSelector === undefined) return ['anybody']
    return workloads.filter(({ labels }) => selects(podSelector, labels)).map(({ name }) => name)
  })
  return [...new Set(names)]
}

function selects({ matchLabels, matchExpressions }: Selector, labels: Record<string, string>): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, values }) => values.includes(labels[key] ?? ''))
  )
}
