import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@jest/globals'
import { KubernetesObject } from '@tripline/testkit/k8s/document'
import { rootDir } from '@tripline/testkit/paths'
import { parse } from 'yaml'
import { z } from 'zod'
import { balancerSection } from './balancer-config.ts'
import { schemaFaults } from './schema-faults.ts'

const text = readFileSync(path.join(rootDir, 'k8s/examples/haproxy-ingress-configmap.yaml'), 'utf8')
const example = KubernetesObject.parse(parse(text))
const settings = z.record(z.string(), z.string()).parse(example['data'])

test('the settings of the ingress have the form of a map', async () => {
  expect(await schemaFaults(example)).toEqual([])
})

test('the ingress logs requests as the balancer does, without the token of a webhook', () => {
  expect(balancerSection('defaults')).toContain(`log-format "${settings['log-format']}"`)
  expect(settings['log-format']).toContain('regsub(^/webhook/.*,/webhook/***)')
})

const rules = (settings['frontend-config-snippet'] ?? '').trim().split('\n')

test('the ingress believes no caller about where it calls from, as the balancer does', () => {
  expect(rules).toContain('http-request del-header X-Forwarded-For')
  expect(settings['forwarded-for']).toBe('true')
})

test('the ingress bounds the connections of each caller, and of all, as the balancer does', () => {
  expect(rules).toContain('tcp-request connection reject if { sc0_conn_cur gt 1000 }')
  for (const rule of rules) expect(balancerSection('frontend door')).toContain(rule)
  expect(balancerSection('frontend door')).toContain(`maxconn ${settings['maxconn']}`)
})

test('the ingress waits for a caller as long as the balancer', () => {
  expect(balancerSection('defaults')).toContain(`timeout client ${settings['timeout-client']}`)
})
