import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, expect, test } from '@jest/globals'
import type { Workload } from '@tripline/testkit/k8s/document'
import { rootDir } from '@tripline/testkit/paths'
import { serviceNames } from '@tripline/testkit/stack/services'
import { parse } from 'yaml'
import { z } from 'zod'
import { type Settings, serviceConfigs } from '../service-configs.ts'
import { Config as SetupConfig } from '../setup-servers.ts'
import { settingsFaults } from './settings-faults.ts'

const Compose = z.looseObject({
  services: z.record(
    z.string(),
    z.looseObject({
      environment: z.record(z.string(), z.string()).default({}),
      read_only: z.boolean().optional(),
      user: z.string().optional(),
      stop_grace_period: z.string().optional(),
    }),
  ),
})

const settingsOf: Record<string, Settings> = { ...serviceConfigs, setup: SetupConfig }
let services: z.infer<typeof Compose>['services']

beforeAll(async () => {
  const text = await readFile(path.join(rootDir, 'deploy/compose.yaml'), 'utf8')
  services = Compose.parse(parse(text, { merge: true })).services
})

test.each([...serviceNames, 'setup'])('%s gets the settings it needs from compose, and no other', (name) => {
  const env = Object.entries(services[name]?.environment ?? {}).map(([key, text]) => {
    // A variable of compose with its default counts as the default; an empty value is none.
    const value = text.replace(/^\$\{\w+:-(.*)\}$/, '$1')
    return value === '' ? { name: key } : { name: key, value }
  })
  const pod = { containers: [{ env }] } as unknown as Workload['pod']
  const settings = settingsOf[name] ?? { shape: {} }
  expect(
    settingsFaults({ name, kind: 'Deployment', selector: undefined, labels: {}, pod }, settings),
  ).toEqual([])
})

test.each([...serviceNames, 'setup'])(
  '%s runs in compose as nobody in particular and cannot write',
  (name) => {
    expect(services[name]).toMatchObject({ read_only: true, user: '65532:65532' })
  },
)
