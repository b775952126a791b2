import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'

const Vector = z.object({
  data: z.object({
    resultType: z.literal('vector'),
    result: z.array(z.object({ value: z.tuple([z.number(), z.string()]) })),
  }),
})

/** Returns the number of series with a value that a query finds now. */
export async function seriesOf(url: string, expression: string): Promise<number> {
  const asked = new URL('/api/v1/query', url)
  asked.searchParams.set('query', expression)
  const { data } = Vector.parse(await ask(asked))
  // A quantile of nothing is no number.
  return data.result.filter(({ value: [, value] }) => value !== 'NaN').length
}

const Alerts = z.object({
  data: z.object({
    alerts: z.array(z.object({ state: z.string(), labels: z.record(z.string(), z.string()) })),
  }),
})

/** The names of the alerts that fire. */
export async function firingAlerts(url: string): Promise<string[]> {
  const { data } = Alerts.parse(await ask(new URL('/api/v1/alerts', url)))
  const names = data.alerts.flatMap(({ state, labels }) =>
    state === 'firing' ? [labels['alertname'] ?? ''] : [],
  )
  return [...new Set(names)]
}

const Rules = z.object({
  data: z.object({
    groups: z.array(
      z.object({
        rules: z.array(z.object({ name: z.string(), health: z.string(), lastError: z.string().optional() })),
      }),
    ),
  }),
})

/** Returns the faults of the rules that Prometheus has. */
export async function brokenRules(url: string): Promise<string[]> {
  const { data } = Rules.parse(await ask(new URL('/api/v1/rules', url)))
  return data.groups
    .flatMap(({ rules }) => rules)
    .filter(({ health }) => health !== 'ok')
    .map(({ name, health, lastError }) => `${name} is ${health}: ${lastError ?? 'not evaluated'}`)
}

/** Writes rules where Prometheus reads them; returns the file. */
export async function writeRules(folder: string, rules: object): Promise<string> {
  const file = path.join(folder, 'alerts.json')
  await writeFile(file, JSON.stringify(rules))
  return file
}

async function ask(url: URL): Promise<unknown> {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`Prometheus answered ${answer.status}: ${await answer.text()}`)
  return await answer.json()
}
