import { mkdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, expect, test } from '@jest/globals'
import { renderUpgradeNatsConfig } from '@tripline/testkit/infra/nats-config'
import { temporaryFolder } from '@tripline/testkit/infra/temporary-folder'
import { type KubernetesObject, workloadsOf } from '@tripline/testkit/k8s/document'
import { filesOf } from '@tripline/testkit/k8s/pod-environment'
import { overlays, renderFolder, renderOverlay } from '@tripline/testkit/k8s/render'
import { rootDir } from '@tripline/testkit/paths'
import { writeSecrets } from '../secrets.ts'
import { overlayFaults } from './overlay-faults.ts'
import { describeMistakes, inContainer, inPod, written } from './planted.ts'

const rendered = new Map<string, KubernetesObject[]>()

// A machine without kubectl fetches one.
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

test('the component upgrade permits the traffic of this version and the one before it', async () => {
  const { folder, remove } = await temporaryFolder()
  const at = (name: string): string => path.relative(folder, path.join(rootDir, 'k8s', name))
  try {
    const kustomization = { resources: [at('overlays/production')], components: [at('components/upgrade')] }
    await writeFile(path.join(folder, 'kustomization.yaml'), JSON.stringify(kustomization))
    const { 'users.conf': users } = filesOf(await renderFolder(folder), 'nats-config')
    expect(users).toBe(renderUpgradeNatsConfig())
  } finally {
    await remove()
  }
})

describeMistakes([
  [
    'a token',
    written('ServiceAccount', 'executor', ['automountServiceAccountToken'], true),
    'the service account executor gives its token away',
  ],
  [
    'too little time to end',
    written('Deployment', 'gateway', inPod('terminationGracePeriodSeconds'), 10),
    'gateway may take 15000 ms to end and is killed before',
  ],
  [
    'a setting nobody knows',
    written('Deployment', 'intake', inContainer('env', 0, 'name'), 'NATS_ADDRESS'),
    'intake does not know the setting NATS_ADDRESS',
  ],
  [
    'a user of the bus with other rights',
    written('ConfigMap', 'nats-config', ['data', 'users.conf'], 'authorization {}'),
    'the users of the bus are not those of proto',
  ],
  [
    'a namespace for anything',
    written('Namespace', 'tripline', ['metadata', 'labels'], {}),
    'the namespace tripline does not enforce restricted pods',
  ],
])
