import type { KubernetesObject, Workload } from '@tripline/testkit/k8s/document'
import { Selector, selects } from '@tripline/testkit/k8s/selector'
import { z } from 'zod'

const Block = z.looseObject({ cidr: z.string(), except: z.array(z.string()).default([]) })
const Peer = z.looseObject({
  podSelector: Selector.optional(),
  namespaceSelector: Selector.optional(),
  ipBlock: Block.optional(),
})
const Port = z.looseObject({
  port: z.union([z.number(), z.string()]).default('any'),
  endPort: z.number().optional(),
  protocol: z.string().default('TCP'),
})
// An empty list is everybody, or every port.
const Peers = z.array(Peer).default([])
const Ports = z.array(Port).default([])
const Policy = z.looseObject({
  podSelector: Selector,
  policyTypes: z.array(z.enum(['Ingress', 'Egress'])),
  ingress: z.array(z.looseObject({ from: Peers, ports: Ports })).default([]),
  egress: z.array(z.looseObject({ to: Peers, ports: Ports })).default([]),
})

/**
 * One way on which a connection may be made: `outside` is the internet without what is private, `namespace <name>`
 * another namespace. A port without a protocol is one of TCP.
 */
export type Way = `${string} -> ${string}:${string}`

/** Every way that the policies leave open: within the namespace both sides have to allow it. */
export function openWays(objects: readonly KubernetesObject[], workloads: readonly Workload[]): Set<Way> {
  const out = new Set<Way>()
  const into = new Set<Way>()
  for (const { podSelector, policyTypes, ingress, egress } of policiesOf(objects)) {
    for (const { name } of workloads.filter(({ labels }) => selects(podSelector, labels))) {
      for (const { to, ports } of policyTypes.includes('Egress') ? egress : [])
        for (const other of named(to, workloads))
          for (const port of portNames(ports)) out.add(`${name} -> ${other}:${port}`)
      for (const { from, ports } of policyTypes.includes('Ingress') ? ingress : [])
        for (const other of named(from, workloads))
          for (const port of portNames(ports)) into.add(`${other} -> ${name}:${port}`)
    }
  }
  return new Set([...waysThrough(out, into, workloads)])
}

function policiesOf(objects: readonly KubernetesObject[]): z.infer<typeof Policy>[] {
  return objects.filter(({ kind }) => kind === 'NetworkPolicy').map((object) => Policy.parse(object['spec']))
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
  return policiesOf(objects).some(
    ({ podSelector, policyTypes, ingress, egress }) =>
      selects(podSelector, {}) && policyTypes.length === 2 && ingress.length + egress.length === 0,
  )
}

function named(peers: z.infer<typeof Peer>[], workloads: readonly Workload[]): string[] {
  const names = peers.flatMap(({ podSelector, namespaceSelector, ipBlock }) => {
    if (ipBlock !== undefined) return [nameOfBlock(ipBlock)]
    if (namespaceSelector !== undefined)
      return [`namespace ${namespaceSelector.matchLabels['kubernetes.io/metadata.name'] ?? 'any'}`]
    if (podSelector === undefined) return ['anybody']
    return workloads.filter(({ labels }) => selects(podSelector, labels)).map(({ name }) => name)
  })
  return peers.length === 0 ? ['anybody'] : [...new Set(names)]
}

// Addresses of the cluster, of a neighbour, or of the provider's own service for its machines.
const privateRanges: Record<string, readonly string[] | undefined> = {
  '0.0.0.0/0': ['10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'],
  '::/0': ['fc00::/7', 'fe80::/10'],
}

function nameOfBlock({ cidr, except }: z.infer<typeof Block>): string {
  const left = privateRanges[cidr]?.filter((range) => !except.includes(range))
  if (left === undefined) return `addresses ${cidr}`
  return left.length === 0 ? 'outside' : `outside and ${left.join(', ')}`
}

function portNames(ports: z.infer<typeof Port>[]): string[] {
  return ports.length === 0 ? ['any'] : ports.map(nameOfPort)
}

function nameOfPort({ port, endPort, protocol }: z.infer<typeof Port>): string {
  const range = endPort === undefined ? `${port}` : `${port}-${endPort}`
  return protocol === 'TCP' ? range : `${range}/${protocol.toLowerCase()}`
}
