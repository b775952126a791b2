import { z } from 'zod'
import { Labels, Selector } from './selector.ts'

const EnvVariable = z.looseObject({
  name: z.string(),
  value: z.string().optional(),
  valueFrom: z.unknown().optional(),
})
const SecurityContext = z.looseObject({
  runAsNonRoot: z.boolean().optional(),
  runAsUser: z.number().optional(),
  privileged: z.boolean().optional(),
  allowPrivilegeEscalation: z.boolean().optional(),
  readOnlyRootFilesystem: z.boolean().optional(),
  capabilities: z
    .looseObject({ drop: z.array(z.string()).optional(), add: z.array(z.string()).optional() })
    .optional(),
  seccompProfile: z.looseObject({ type: z.string() }).optional(),
})
const Port = z.looseObject({
  name: z.string().optional(),
  containerPort: z.number(),
  hostPort: z.number().optional(),
})
const Probe = z.looseObject({
  httpGet: z.looseObject({ path: z.string(), port: z.union([z.string(), z.number()]) }).optional(),
  tcpSocket: z.looseObject({ port: z.union([z.string(), z.number()]) }).optional(),
})
const Container = z.looseObject({
  name: z.string(),
  image: z.string(),
  args: z.array(z.string()).default([]),
  ports: z.array(Port).default([]),
  env: z.array(EnvVariable).default([]),
  resources: z
    .looseObject({ requests: Labels.default({}), limits: Labels.default({}) })
    .default({ requests: {}, limits: {} }),
  securityContext: SecurityContext.default({}),
  startupProbe: Probe.optional(),
  readinessProbe: Probe.optional(),
  livenessProbe: Probe.optional(),
})
const Volume = z.looseObject({
  name: z.string(),
  secret: z.looseObject({ secretName: z.string() }).optional(),
  hostPath: z.unknown().optional(),
})
const Spread = z.looseObject({ topologyKey: z.string(), labelSelector: Selector.optional() })
const PodSpec = z.looseObject({
  serviceAccountName: z.string().optional(),
  automountServiceAccountToken: z.boolean().optional(),
  terminationGracePeriodSeconds: z.number().default(30),
  hostNetwork: z.boolean().optional(),
  hostPID: z.boolean().optional(),
  hostIPC: z.boolean().optional(),
  topologySpreadConstraints: z.array(Spread).default([]),
  securityContext: SecurityContext.default({}),
  initContainers: z.array(Container).default([]),
  containers: z.array(Container),
  volumes: z.array(Volume).default([]),
})
const Template = z.looseObject({ metadata: z.looseObject({ labels: Labels }), spec: PodSpec })

const Workload = z.looseObject({
  spec: z.looseObject({ template: Template, selector: Selector.optional() }),
})

/** One object of a rendered overlay. */
export const KubernetesObject = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), labels: Labels.optional() }),
})
export type KubernetesObject = z.infer<typeof KubernetesObject>
export type Container = z.infer<typeof Container>
export type Probe = z.infer<typeof Probe>

/** A workload: its name, the pods it takes for its own, the labels that it gives them, and how they are made. */
export interface Workload {
  name: string
  kind: string
  selector: Selector | undefined
  labels: Labels
  pod: z.infer<typeof PodSpec>
}

const workloadKinds = ['Deployment', 'StatefulSet', 'Job']

/** Everything of an overlay that makes pods. */
export function workloadsOf(objects: readonly KubernetesObject[]): Workload[] {
  return objects
    .filter(({ kind }) => workloadKinds.includes(kind))
    .map((object) => {
      const { selector, template } = Workload.parse(object).spec
      const { metadata, spec: pod } = template
      return { name: object.metadata.name, kind: object.kind, selector, labels: metadata.labels, pod }
    })
}
