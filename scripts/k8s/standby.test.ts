import { beforeAll, expect, test } from '@jest/globals'
import type { KubernetesObject } from '@tripline/testkit/k8s/document'
import { renderOverlay } from '@tripline/testkit/k8s/render'
import { serviceNames } from '@tripline/testkit/stack/services'

let objects: KubernetesObject[] = []

beforeAll(async () => {
  objects = await renderOverlay('standby')
}, 300_000)

test.each(serviceNames)('no %s runs in a region that stands by', (service) => {
  const deployment = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === service)
  expect(deployment).toMatchObject({ spec: { replicas: 0 } })
})

test('nobody starts them', () => {
  expect(objects.filter(({ kind }) => /Autoscaler|ScaledObject/.test(kind))).toEqual([])
})

test('the bus of a region that stands by runs', () => {
  const nats = objects.find(({ kind }) => kind === 'StatefulSet')
  expect(nats).toMatchObject({ metadata: { name: 'nats' }, spec: { replicas: 3 } })
})
