import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { rootDir } from '../paths.ts'

const monitoring = path.join(rootDir, 'k8s/components/monitoring')

/** A question that somebody asks Prometheus, and who does. */
export interface Query {
  asker: string
  expression: string
}

const Dashboard = z.looseObject({
  title: z.string(),
  panels: z.array(
    z.looseObject({ title: z.string(), targets: z.array(z.looseObject({ expr: z.string() })) }),
  ),
})

/** Every query of every dashboard. */
export function dashboardQueries(): Query[] {
  const folder = path.join(monitoring, 'dashboards')
  return readdirSync(folder).flatMap((file) => {
    const { title, panels } = Dashboard.parse(JSON.parse(readFileSync(path.join(folder, file), 'utf8')))
    return panels.flatMap((panel) =>
      panel.targets.map(({ expr }) => ({ asker: `${title} / ${panel.title}`, expression: expr })),
    )
  })
}

const Rule = z.looseObject({
  alert: z.string(),
  expr: z.string(),
  annotations: z.looseObject({ summary: z.string(), runbook_url: z.url() }),
})
const Rules = z.looseObject({ groups: z.array(z.looseObject({ name: z.string(), rules: z.array(Rule) })) })

/** The alert rules in the form that Prometheus reads. */
export function alertRules(): z.infer<typeof Rules> {
  const text = readFileSync(path.join(monitoring, 'alerts.yaml'), 'utf8')
  return Rules.parse(z.looseObject({ spec: z.unknown() }).parse(parse(text)).spec)
}

/** The tests of the alert rules, for promtool, which finds the rules beside them in `alerts.yaml`. */
export function alertTests(): string {
  return readFileSync(path.join(monitoring, 'alerts-test.yaml'), 'utf8')
}

const Scaled = z.looseObject({
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
  spec: z.looseObject({
    triggers: z
      .array(z.looseObject({ metadata: z.looseObject({ query: z.string().optional() }) }))
      .default([]),
  }),
})

/** Returns the queries that decide the number of replicas, as Prometheus is asked. */
function scalingQueries(): Query[] {
  const text = readFileSync(path.join(rootDir, 'k8s/components/keda/scaling.yaml'), 'utf8')
  return parseAllDocuments(text).flatMap((document) => {
    const { metadata, spec } = Scaled.parse(document.toJS())
    return spec.triggers.flatMap(({ metadata: { query } }) =>
      query === undefined ? [] : [{ asker: `scaling of ${metadata.name}`, expression: query }],
    )
  })
}

/** Every query of dashboards, alert rules and scaling. */
export function allQueries(): Query[] {
  const rules = alertRules().groups.flatMap(({ rules }) =>
    rules.map(({ alert, expr }) => ({ asker: alert, expression: expr })),
  )
  return [...dashboardQueries(), ...rules, ...scalingQueries()]
}

/** The expression with what Grafana puts in. */
export function filledIn({ expression }: Query, rateInterval: string): string {
  return expression.replaceAll('$__rate_interval', rateInterval)
}
