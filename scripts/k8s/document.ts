import { z } from 'zod'

const Labels = z.record(z.string(), z.string())
const EnvVariable = z.looseObject({
  name: z.string(),
  value: z.string().optional(),
  valueFrom: z.unknown().optional(),
})
const SecurityContext = z.looseObject({
  runAsNonRoot: z.boolean().optional(),
  runAsUser: z.number().optional(),
  allowPrivilegeEscalation: z.boolean().optional(),
  readOnlyRootFilesystem: z.boolean().optional(),
  capabilities: z.looseObject({ drop: z.array(z.string()).optional() }).optional(),
  seccompProfile: z.looseObject({ type: z.string() }).optional(),
})
const Container = z.looseObject({
  name: z.string(),
  image: z.string(),
  args: z.array(z.string()).default([]),
  env: z.array(EnvVariable).default([]),
  resources: z
    .looseObject({ requests: Labels.default({}), limits: Labels.default({}) })
    .default({ requests: {}, limits: {} }),
  securityContext: SecurityContext.default({}),
  startupProbe: z.unknown().optional(),
  readinessProbe: z.unknown().optional(),
  livenessProbe: z.unknown().optional(),
})
const Volume = z.looseObject({
  name: z.string(),
  secret: z.looseObject({ secretName: z.string() }).optional(),
  hostPath: z.unknown().optional(),
})
const PodSpec = z.looseObject({
  serviceAccountName: z.string().optional(),
  automountServiceAccountToken: z.boolean().optional(),
  terminationGracePeriodSeconds: z.number().default(30),
  hostNetwork: z.boolean().optional(),
  hostPID: z.boolean().optional(),
  securityContext: SecurityContext.default({}),
  initContainers: z.array(Container).default([]),
  containers: z.array(Container),
  volumes: z.array(Volume).default([]),
})
const Template = z.looseObject({ metadata: z.looseObject({ labels: Labels }), spec: PodSpec })

const Workload = z.looseObject({ spec: z.looseObject({ template: Template }) })

/** One object of a rendered overlay. */
export const KubernetesObject = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), labels: Labels.optional() }),
})
export type KubernetesObject = z.infer<typeof KubernetesObject>
export type Container = z.infer<typeof Container>

/** What runs: its name by label, its pods' labels, and how they are made. */
export interface Workload {
  name: string
  kind: string
  labels: Record<string, string>
  pod: z.infer<typeof PodSpec>
}

const workloadKinds = ['Deployment', 'StatefulSet', 'DaemonSet', 'Job']

/** Everything of an overlay that makes pods. */
export function workloadsOf(objects: readonly KubernetesObject[]): Workload[] {
  return objects
    .filter(({ kind }) => workloadKinds.includes(kind))
    .map((object) => {
      const { metadata, spec } = Workload.parse(object).spec.template
      return { name: object.metadata.name, kind: object.kind, labels: metadata.labels, pod: spec }
    })
}
