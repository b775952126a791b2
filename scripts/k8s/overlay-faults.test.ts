import { mkdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { temporaryFolder } from '../infra/temporary-folder.ts'
import { writeSecrets } from '../secrets.ts'
import { type KubernetesObject, workloadsOf } from './document.ts'
import { overlayFaults } from './overlay-faults.ts'
import { overlays, renderOverlay } from './render.ts'

const rendered = new Map<string, KubernetesObject[]>()

// Where the machine has no kubectl, one is fetched.
beforeAll(async () => {
  for (const overlay of overlays) rendered.set(overlay, await renderOverlay(overlay))
}, 300_000)

const objectsOf = (overlay: string): KubernetesObject[] => structuredClone(rendered.get(overlay) ?? [])

test.each(overlays)('nothing is wrong with the overlay %s', async (overlay) => {
  expect(await overlayFaults(overlay, objectsOf(overlay))).toEqual([])
})

test.each(overlays)('every secret that a process of %s reads is made', async (overlay) => {
  const { folder, remove } = await temporaryFolder()
  try {
    await mkdir(folder, { recursive: true })
    writeSecrets(folder, { smtpUrl: 'smtps://mail.example.com' })
    for (const { name, pod } of workloadsOf(objectsOf(overlay))) {
      const read = pod.containers.flatMap(({ env }) => env).filter((one) => one.name.endsWith('_FILE'))
      for (const { value = '' } of read) {
        const { size } = await stat(path.join(folder, name, path.basename(value)))
        expect([name, value, size > 0]).toEqual([name, value, true])
      }
    }
  } finally {
    await remove()
  }
})

type Tree = { [key: string]: Tree } & Tree[]
type Mistake = [what: string, kind: string, name: string, plant: (object: Tree) => void, fault: string]

const container = (object: Tree): Tree => at(object, 'spec', 'template', 'spec', 'containers', 0)

function at(tree: Tree, ...keys: (string | number)[]): Tree {
  let here = tree
  for (const key of keys) {
    const next = here[key as number]
    if (next === undefined) throw new Error(`there is no ${keys.join('.')}`)
    here = next
  }
  return here
}

/** Writes a value that the type of a tree does not foresee. */
function put(tree: Tree, key: string, value: unknown): void {
  const fields: Record<string, unknown> = tree
  fields[key] = value
}

const mistakes: Mistake[] = [
  [
    'a misspelt field',
    'Deployment',
    'intake',
    (o) => put(at(o, 'spec'), 'replicaz', 2),
    'spec.replicaz is no known field',
  ],
  [
    'a misspelt probe',
    'Deployment',
    'intake',
    (o) => put(container(o), 'readynessProbe', {}),
    'spec.template.spec.containers[0].readynessProbe is no known field',
  ],
  [
    'a port in quotes',
    'Deployment',
    'intake',
    (o) => put(at(container(o), 'ports', 0), 'containerPort', '8080'),
    'spec.template.spec.containers[0].ports[0].containerPort is not of type number',
  ],
  ['no selector', 'Deployment', 'intake', (o) => put(at(o, 'spec'), 'selector', undefined), 'selector'],
  [
    'no trigger in a scaled object',
    'ScaledObject',
    'history',
    (o) => put(at(o, 'spec'), 'triggers', undefined),
    'triggers',
  ],
  [
    'no selector in a monitor of pods',
    'PodMonitor',
    'services',
    (o) => put(at(o, 'spec'), 'selector', undefined),
    'selector',
  ],
  [
    'metrics for another namespace',
    'NetworkPolicy',
    'metrics',
    (o) =>
      put(
        at(o, 'spec', 'ingress', 0, 'from', 0, 'namespaceSelector', 'matchLabels'),
        'kubernetes.io/metadata.name',
        'elsewhere',
      ),
    'namespace elsewhere -> executor:8080 is open',
  ],
  [
    'an unknown kind',
    'Service',
    'intake',
    (o) => put(o, 'kind', 'Servise'),
    'there is no model of v1 Servise',
  ],
  [
    'root',
    'Deployment',
    'intake',
    (o) => put(at(o, 'spec', 'template', 'spec', 'securityContext'), 'runAsUser', 0),
    'intake runs as root',
  ],
  [
    'a root that may be written to',
    'StatefulSet',
    'nats',
    (o) => put(at(container(o), 'securityContext'), 'readOnlyRootFilesystem', false),
    'container nats may write to its root',
  ],
  [
    'no limit of memory',
    'Deployment',
    'keys',
    (o) => put(at(container(o), 'resources'), 'limits', { cpu: '1' }),
    'container service has no limit of memory',
  ],
  [
    'a limit of cpu on executors',
    'Deployment',
    'executor',
    (o) => put(at(container(o), 'resources', 'limits'), 'cpu', '1'),
    'has a limit of cpu, which pauses it',
  ],
  [
    'no readiness',
    'Deployment',
    'auth',
    (o) => put(container(o), 'readinessProbe', undefined),
    'container service has no readiness probe',
  ],
  [
    'a token',
    'ServiceAccount',
    'executor',
    (o) => put(o, 'automountServiceAccountToken', true),
    'the service account executor gives its token away',
  ],
  [
    'too little time to end',
    'Deployment',
    'gateway',
    (o) => put(at(o, 'spec', 'template', 'spec'), 'terminationGracePeriodSeconds', 10),
    'gateway may take 15000 ms to end and is killed before',
  ],
  [
    'a setting nobody knows',
    'Deployment',
    'intake',
    (o) => put(at(container(o), 'env', 0), 'name', 'NATS_ADDRESS'),
    'intake does not know the setting NATS_ADDRESS',
  ],
  [
    'a policy that lets history out',
    'NetworkPolicy',
    'executor',
    (o) => put(at(o, 'spec'), 'podSelector', {}),
    'history -> outside:443 is open',
  ],
  [
    'a policy that lets the gateway into the database',
    'NetworkPolicy',
    'to-postgres',
    (o) => put(at(o, 'spec'), 'podSelector', {}),
    'gateway -> namespace tripline-stores:5432 is open',
  ],
  [
    'no denial',
    'NetworkPolicy',
    'nothing',
    (o) => put(at(o, 'spec'), 'policyTypes', ['Ingress']),
    'what no policy allows is not denied',
  ],
  [
    'a user of the bus with other rights',
    'ConfigMap',
    'nats-config',
    (o) => put(at(o, 'data'), 'users.conf', 'authorization {}'),
    'the users of the bus are not those of proto',
  ],
  [
    'a namespace for anything',
    'Namespace',
    'tripline',
    (o) => put(at(o, 'metadata'), 'labels', {}),
    'the namespace tripline does not enforce restricted pods',
  ],
]

describe('a planted mistake is found', () => {
  test.each(mistakes)('%s', async (_what, kind, name, plant, fault) => {
    const objects = objectsOf('operators')
    const object = objects.find((one) => one.kind === kind && one.metadata.name.startsWith(name))
    expect(object).toBeDefined()
    plant(object as unknown as Tree)
    // As it would be read from a file, where what is undefined is not there.
    const planted = JSON.parse(JSON.stringify(objects)) as KubernetesObject[]
    expect((await overlayFaults('operators', planted)).join('\n')).toContain(fault)
  })
})
