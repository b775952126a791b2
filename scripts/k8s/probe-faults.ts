import type { Container, Probe, Workload } from '@tripline/testkit/k8s/document'
import { serviceNames } from '@tripline/testkit/stack/services'

interface Questions {
  startupProbe: string
  readinessProbe: string
  livenessProbe: string
}

// A service that waits for bus or database is alive; a restart would bring neither back.
const ofService: Questions = {
  startupProbe: 'http/livez',
  readinessProbe: 'http/readyz',
  livenessProbe: 'http/livez',
}
// Until its streams have caught up a server has not started, so that the next one is not taken away before.
const ofNats: Questions = {
  startupProbe: 'monitor/healthz',
  readinessProbe: 'monitor/healthz?js-server-only=true',
  livenessProbe: 'monitor/healthz?js-enabled-only=true',
}

const questions: Record<string, Questions | undefined> = {
  ...Object.fromEntries(serviceNames.map((name) => [name, ofService])),
  nats: ofNats,
}
const kinds = ['startupProbe', 'readinessProbe', 'livenessProbe'] as const

/** Which probes ask a workload something else than whether it has started, can do its duty, and still answers. */
export function probeFaults({ name, pod }: Workload): string[] {
  return pod.containers.flatMap((container) =>
    kinds
      .filter((kind) => !isRight(container, container[kind], questions[name]?.[kind]))
      .map((kind) => `${name}: the ${kind} of ${container.name} asks a path that shows nothing`),
  )
}

function isRight({ ports }: Container, probe: Probe | undefined, question: string | undefined): boolean {
  const { httpGet, tcpSocket } = probe ?? {}
  if (question !== undefined) return httpGet !== undefined && `${httpGet.port}${httpGet.path}` === question
  const port = (httpGet ?? tcpSocket)?.port
  return (
    port === undefined || ports.some(({ name, containerPort }) => port === name || port === containerPort)
  )
}
