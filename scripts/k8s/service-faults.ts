import type { KubernetesObject, Workload } from '@tripline/testkit/k8s/document'
import { Labels, selects } from '@tripline/testkit/k8s/selector'
import { z } from 'zod'

const Port = z.looseObject({ port: z.number(), targetPort: z.union([z.string(), z.number()]).optional() })
const Service = z.looseObject({
  type: z.string().default('ClusterIP'),
  externalIPs: z.array(z.string()).default([]),
  selector: Labels.default({}),
  ports: z.array(Port),
})
type Service = z.infer<typeof Service>

/** Returns the faults of services: those that the world may use, and those that lead nowhere or to several workloads. */
export function serviceFaults(
  objects: readonly KubernetesObject[],
  workloads: readonly Workload[],
): string[] {
  return objects
    .filter(({ kind }) => kind === 'Service')
    .flatMap(({ metadata: { name }, spec }) => {
      const service = Service.parse(spec)
      return [...outsideFaults(service), ...targetFaults(service, workloads)].map(
        (fault) => `the service ${name} ${fault}`,
      )
    })
}

function outsideFaults({ type, externalIPs }: Service): string[] {
  return type === 'ClusterIP' && externalIPs.length === 0 ? [] : ['is reached from outside the cluster']
}

// One of each: what a name leads to is then known by it.
function targetFaults({ selector, ports }: Service, workloads: readonly Workload[]): string[] {
  const targets = workloads.filter(({ labels }) =>
    selects({ matchLabels: selector, matchExpressions: [] }, labels),
  )
  const [target] = targets
  if (target === undefined) return ['leads to no pod']
  if (targets.length > 1) return [`leads to ${targets.map(({ name }) => name).join(' and ')}`]
  const offered = target.pod.containers.flatMap((container) => container.ports)
  return ports
    .map(({ port, targetPort = port }) => targetPort)
    .filter(
      (wanted) => !offered.some(({ name, containerPort }) => wanted === name || wanted === containerPort),
    )
    .map((wanted) => `leads to a port ${wanted}, which ${target.name} does not have`)
}
