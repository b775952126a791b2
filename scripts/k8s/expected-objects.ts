import type { KubernetesObject } from '@tripline/testkit/k8s/document'
import { serviceNames } from '@tripline/testkit/stack/services'

const everywhere = [
  // Executors share partitions by leases, so none of them has a name of its own.
  ...serviceNames.map((name) => `Deployment/${name}`),
  'Job/setup',
  'StatefulSet/nats',
]
const ownStores = ['StatefulSet/postgres', 'StatefulSet/valkey']

const expectedWorkloads: Record<string, readonly string[]> = {
  small: [...everywhere, ...ownStores],
  production: everywhere,
  operators: everywhere,
  standby: everywhere,
}

// Kinds without pods and without rights; any other here would pass unjudged.
const harmlessKinds = [
  'ConfigMap',
  'ExternalSecret',
  'HorizontalPodAutoscaler',
  'Ingress',
  'Namespace',
  'NetworkPolicy',
  'PersistentVolumeClaim',
  'PodDisruptionBudget',
  'PodMonitor',
  'PriorityClass',
  'PrometheusRule',
  'ScaledObject',
  'Service',
  'ServiceAccount',
]

/** Returns an overlay's missing and unexpected objects. */
export function strangerFaults(overlay: string, objects: readonly KubernetesObject[]): string[] {
  const expected = expectedWorkloads[overlay] ?? []
  const found = objects
    .filter(({ kind }) => !harmlessKinds.includes(kind))
    .map(({ kind, metadata }) => `${kind}/${metadata.name}`)
  return [
    ...expected.filter((name) => !found.includes(name)).map((name) => `${name} is not there`),
    ...found.filter((name) => !expected.includes(name)).map((name) => `${name} is not expected`),
  ]
}
