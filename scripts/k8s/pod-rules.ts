import type { Container, Workload } from '@tripline/testkit/k8s/document'
import { selects } from '@tripline/testkit/k8s/selector'

type Rule<Thing> = readonly [complaint: string, holds: (thing: Thing, workload: Workload) => boolean]

const podRules: Rule<Workload>[] = [
  [
    'does not take its own pods for its own',
    ({ selector, labels }) => selector === undefined || selects(selector, labels),
  ],
  ['has no service account of its own', ({ pod }) => pod.serviceAccountName !== undefined],
  ['gets a token for the API', ({ pod }) => pod.automountServiceAccountToken === false],
  ['is not set to run as another than root', ({ pod }) => pod.securityContext.runAsNonRoot === true],
  ['runs as root', ({ pod }) => (pod.securityContext.runAsUser ?? 0) > 0],
  ['has no seccomp profile', ({ pod }) => pod.securityContext.seccompProfile?.type === 'RuntimeDefault'],
  [
    'shares its network or processes with the node',
    ({ pod }) => !pod.hostNetwork && !pod.hostPID && !pod.hostIPC,
  ],
  ['mounts a folder of the node', ({ pod }) => pod.volumes.every(({ hostPath }) => hostPath === undefined)],
]

const containerRules: Rule<Container>[] = [
  ['may write to its root', ({ securityContext }) => securityContext.readOnlyRootFilesystem === true],
  ['is privileged', ({ securityContext }) => !securityContext.privileged],
  ['may gain privileges', ({ securityContext }) => securityContext.allowPrivilegeEscalation === false],
  [
    'runs as root',
    ({ securityContext: { runAsUser = 1, runAsNonRoot = true } }) => runAsUser > 0 && runAsNonRoot,
  ],
  [
    'keeps capabilities',
    ({ securityContext: { capabilities } }) =>
      capabilities?.drop?.includes('ALL') === true && (capabilities.add ?? []).length === 0,
  ],
  [
    'has another seccomp profile',
    ({ securityContext: { seccompProfile } }) =>
      seccompProfile === undefined || seccompProfile.type === 'RuntimeDefault',
  ],
  ['takes a port of the node', ({ ports }) => ports.every(({ hostPort }) => hostPort === undefined)],
  ['has no tag or digest', ({ image }) => /[:@][^/]+$/.test(image) && !image.endsWith(':latest')],
  ['requests no cpu', ({ resources }) => resources.requests['cpu'] !== undefined],
  ['requests no memory', ({ resources }) => resources.requests['memory'] !== undefined],
  ['has no limit of memory', ({ resources }) => resources.limits['memory'] !== undefined],
  [
    'has no limit of cpu',
    ({ resources }, { name }) => name === 'executor' || resources.limits['cpu'] !== undefined,
  ],
  [
    'has a limit of cpu, which pauses it',
    ({ resources }, { name }) => name !== 'executor' || resources.limits['cpu'] === undefined,
  ],
  ['has no startup probe', ({ startupProbe }, { kind }) => kind === 'Job' || startupProbe !== undefined],
  [
    'has no readiness probe',
    ({ readinessProbe }, { kind }) => kind === 'Job' || readinessProbe !== undefined,
  ],
  ['has no liveness probe', ({ livenessProbe }, { kind }) => kind === 'Job' || livenessProbe !== undefined],
  ['lets its heap grow over its limit of memory', (container) => heapFits(container)],
]

/** Returns the faults of a workload's pods. */
export function podFaults(workload: Workload): string[] {
  const { name, pod } = workload
  const ofPod = podRules.filter(([, holds]) => !holds(workload, workload)).map(([rule]) => `${name} ${rule}`)
  const ofContainers = [...pod.initContainers, ...pod.containers].flatMap((container) =>
    containerRules
      .filter(([, holds]) => !holds(container, workload))
      .map(([rule]) => `${name}: container ${container.name} ${rule}`),
  )
  return [...ofPod, ...ofContainers]
}

/** A heap of three quarters of the limit leaves room for buffers; the collector then works before the kernel kills. */
function heapFits({ args, resources }: Container): boolean {
  const [, heap] = /--max-old-space-size=(\d+)/.exec(args.join(' ')) ?? []
  if (heap === undefined) return !args.some((arg) => arg.startsWith('bundle/'))
  return Number(heap) <= mebibytes(resources.limits['memory'] ?? '0Mi') * 0.75
}

function mebibytes(quantity: string): number {
  const [, count, unit] = /^(\d+)(Mi|Gi)$/.exec(quantity) ?? []
  return Number(count ?? 0) * (unit === 'Gi' ? 1024 : 1)
}
