import type { KubernetesObject } from '@tripline/testkit/k8s/document'
import { z } from 'zod'
import { balancerSection } from './balancer-config.ts'

const Backend = z.looseObject({
  service: z.looseObject({ name: z.string(), port: z.looseObject({ name: z.string().optional() }) }),
})
const Path = z.looseObject({ path: z.string(), pathType: z.string(), backend: Backend })
const Rule = z.looseObject({
  host: z.string().optional(),
  http: z.looseObject({ paths: z.array(Path) }),
})
const Ingress = z.looseObject({
  metadata: z.looseObject({
    name: z.string(),
    annotations: z.record(z.string(), z.string()).default({}),
  }),
  spec: z.looseObject({
    defaultBackend: z.unknown().optional(),
    rules: z.array(Rule),
    tls: z.array(z.looseObject({ hosts: z.array(z.string()) })).default([]),
  }),
})
type Ingress = z.infer<typeof Ingress>

// Everything else is for those inside.
const expectedRoutes = ['Prefix /webhook/ -> intake:http', 'Prefix / -> gateway:http']

/** Returns the faults of the way in: routes elsewhere or in the clear, and alerts that are passed on otherwise. */
export function ingressFaults(objects: readonly KubernetesObject[]): string[] {
  const ingresses = objects.filter(({ kind }) => kind === 'Ingress').map((object) => Ingress.parse(object))
  const routes = ingresses.flatMap(({ spec }) =>
    spec.rules.flatMap(({ http }) =>
      http.paths.map(({ path, pathType, backend: { service } }) =>
        [pathType, path, '->', `${service.name}:${service.port.name}`].join(' '),
      ),
    ),
  )
  return [
    ...routes.filter((route) => !expectedRoutes.includes(route)).map((route) => `the ingress leads ${route}`),
    ...expectedRoutes.filter((route) => !routes.includes(route)).map((route) => `no ingress leads ${route}`),
    ...ingresses.flatMap(doorFaults),
    ...ingresses.filter(({ metadata }) => metadata.name === 'webhook').flatMap(balanceFaults),
  ]
}

function doorFaults({ metadata: { name }, spec }: Ingress): string[] {
  const encrypted = spec.tls.flatMap(({ hosts }) => hosts)
  const isEncrypted = spec.rules.every(({ host }) => host !== undefined && encrypted.includes(host))
  return [
    ...(spec.defaultBackend === undefined
      ? []
      : [`the ingress ${name} leads what it does not know somewhere`]),
    ...(isEncrypted ? [] : [`the ingress ${name} leads in the clear`]),
  ]
}

/** Returns how the ingress of alerts differs from the balancer that is tested. */
function balanceFaults({ metadata: { name, annotations } }: Ingress): string[] {
  const usual = balancerSection('defaults')
  const intake = balancerSection('backend intake')
  const wanted = [
    ...[...intake, ...usual].filter((line) => /^(balance|timeout server) /.test(line)),
    ...usual.filter((line) => /^(retry-on |retries |option (redispatch|abortonclose))/.test(line)),
    ...intake.filter((line) => !/^(server|balance) /.test(line)),
  ]
  const given = [
    `balance ${annotations['haproxy.org/load-balance']}`,
    `timeout server ${annotations['haproxy.org/timeout-server']}`,
    ...(annotations['haproxy.org/backend-config-snippet'] ?? '').trim().split('\n'),
  ]
  return [
    ...wanted
      .filter((line) => !given.includes(line))
      .map((line) => `the ingress ${name} does not say: ${line}`),
    ...given
      .filter((line) => !wanted.includes(line))
      .map((line) => `the ingress ${name} says besides: ${line}`),
  ]
}
