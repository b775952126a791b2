import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { buckets, streams } from '@tripline/proto/subject'
import { parse } from 'yaml'
import { z } from 'zod'
import { rootDir } from '../paths.ts'
import { serviceNames } from '../stack/services.ts'
import { askedMetrics } from './asked-metrics.ts'
import { askableMetrics, registeredMetrics } from './registered-metrics.ts'
import { alertRules, alertTests, allQueries, filledIn } from './watchers.ts'

// Prometheus's own metrics of a target, and the labels it puts on everything it gathers there.
const ofPrometheus = new Map([['up', new Set<string>()]])
const ofTargets = ['pod', 'namespace', 'instance']
// Certificates are cert-manager's (https://cert-manager.io/docs/devops-tips/prometheus-metrics/).
const ofCertManager = new Map([['certmanager_certificate_expiration_timestamp_seconds', new Set(['name'])]])

const registered = new Map([...askableMetrics(), ...ofPrometheus, ...ofCertManager])

/** Returns the parts of an expression that no service knows. */
function strangers(expression: string): string[] {
  return askedMetrics(expression).flatMap(({ name, labels }) => {
    const known = registered.get(name)
    if (known === undefined) return [name]
    return labels.filter((label) => !known.has(label) && !ofTargets.includes(label))
  })
}

test.each(allQueries())('$asker asks for metrics and labels that services register', (query) => {
  expect(strangers(filledIn(query, '1m'))).toEqual([])
})

describe('a query that would find nothing is noticed', () => {
  test.each([
    ['sum(tripline_unknown_order)', 'tripline_unknown_order'],
    ['rate(tripline_alert_stage_seconds[1m])', 'tripline_alert_stage_seconds'],
    ['sum by (state) (tripline_webhook_answers_total)', 'state'],
    ['tripline_bots{staet="open"}', 'staet'],
  ])('%s', (expression, stranger) => {
    expect(strangers(expression)).toEqual([stranger])
  })
})

const rules = alertRules().groups.flatMap((group) => group.rules)

test.each(rules)('$alert leads to its remedy', ({ alert, annotations: { runbook_url: url } }) => {
  const { pathname, hash } = new URL(url)
  const page = path.join(rootDir, pathname)
  expect([pathname, existsSync(page)]).toEqual([pathname, true])
  expect(hash).toBe(`#${alert.toLowerCase()}`)
  expect(readFileSync(page, 'utf8')).toContain(`\n## ${alert}\n`)
})

test('the bus may store four fifths of its volume, and streams and buckets together no more than that', () => {
  const [, volume] = /storage: (\d+)Gi$/m.exec(readBase('nats/nats.yaml')) ?? []
  const [, limit] = /max_file_store: (\d+)GB$/m.exec(readBase('nats/nats.conf')) ?? []
  expect(Number(limit)).toBe(Number(volume) * 0.8)
  const rooms = [...Object.values(streams), ...Object.values(buckets)].map(({ maxBytes }) => maxBytes)
  const sum = rooms.reduce((bytes, room) => bytes + room, 0)
  expect(sum).toBeLessThanOrEqual(Number(limit) * 1024 ** 3)
})

function readBase(file: string): string {
  return readFileSync(path.join(rootDir, 'k8s/base', file), 'utf8')
}

test('docs/operations/seeing.md has a row for every metric, in the order of their registration', () => {
  const listed = readFileSync(path.join(rootDir, 'docs/operations/seeing.md'), 'utf8').matchAll(
    /^\| `(tripline_\w+)` \| (.*) \| (.*) \| (.*) \|$/gm,
  )
  const rows = [...listed].map(([, name, of, labels, help]) => ({ name, of, labels, help }))
  expect(rows).toEqual(metricRows())
})

/** The rows of the table: shared metrics once, with who has them. */
function metricRows() {
  const rows = new Map<string, { name: string; services: string[]; labels: string; help: string }>()
  for (const [service, metrics] of Object.entries(registeredMetrics())) {
    for (const { name, labels, help } of metrics) {
      const own = labels.filter((label) => label !== 'process').join(', ')
      const row = rows.get(name) ?? { name, services: [], labels: own || '-', help }
      rows.set(name, row)
      row.services.push(service)
    }
  }
  return [...rows.values()].map(({ name, services, labels, help }) => {
    const of = services.length === serviceNames.length ? 'all' : services.join(', ')
    return { name, of, labels, help }
  })
}

const Tests = z.looseObject({
  tests: z.array(
    z.looseObject({
      alert_rule_test: z.array(
        z.looseObject({ alertname: z.string(), exp_alerts: z.array(z.unknown()).default([]) }),
      ),
    }),
  ),
})

test.each(rules)('there is a test in which $alert fires, and one in which it does not', ({ alert }) => {
  const { tests } = Tests.parse(parse(alertTests()))
  const of = tests.flatMap((one) => one.alert_rule_test).filter(({ alertname }) => alertname === alert)
  expect(of.map(({ exp_alerts: expected }) => expected.length > 0).toSorted()).toEqual([false, true])
})
