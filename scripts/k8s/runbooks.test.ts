import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@jest/globals'
import { renderOverlay } from '@tripline/testkit/k8s/render'
import { rootDir } from '@tripline/testkit/paths'
import { parse } from 'yaml'
import { z } from 'zod'

const Runbooks = z.looseObject({ data: z.looseObject({ place: z.string() }) })
const Rules = z.looseObject({
  groups: z.array(
    z.looseObject({
      rules: z.array(z.looseObject({ annotations: z.looseObject({ runbook_url: z.string() }) })),
    }),
  ),
})

// A machine without kubectl fetches one.
test('every alert rule links to the pages at the configured address', async () => {
  const text = readFileSync(path.join(rootDir, 'k8s/overlays/operators/runbooks.yaml'), 'utf8')
  const { place } = Runbooks.parse(parse(text)).data
  const objects = await renderOverlay('operators')
  const { groups } = Rules.parse(objects.find(({ kind }) => kind === 'PrometheusRule')?.['spec'])
  const links = groups.flatMap(({ rules }) => rules.map(({ annotations }) => annotations.runbook_url))
  const start = `https://${place}/docs/operations/`
  expect(links).not.toEqual([])
  expect(links.filter((link) => !link.startsWith(start))).toEqual([])
  expect(objects.some(({ metadata }) => metadata.name === 'runbooks')).toBe(false)
}, 300_000)
