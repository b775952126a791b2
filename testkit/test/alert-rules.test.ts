import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { stringify } from 'yaml'
import { prometheusProgram } from '../infra/prometheus.ts'
import { runCommand } from '../infra/run-command.ts'
import { temporaryFolder } from '../infra/temporary-folder.ts'
import { alertRules, alertTests } from '../monitoring/watchers.ts'

let promtool: string
// On a machine without one, one is fetched.
beforeAll(async () => {
  promtool = await prometheusProgram('promtool')
}, 300_000)

let scratch: Awaited<ReturnType<typeof temporaryFolder>>
beforeEach(async () => {
  scratch = await temporaryFolder()
})
afterEach(() => scratch.remove())

/** Tests these rules, which stand in the form that Prometheus reads. */
async function testRules(rules: string): Promise<string> {
  await writeFile(path.join(scratch.folder, 'alerts.yaml'), rules)
  await writeFile(path.join(scratch.folder, 'alerts-test.yaml'), alertTests())
  return await runCommand(promtool, ['test', 'rules', path.join(scratch.folder, 'alerts-test.yaml')])
}

test('every alert fires when it is to, and at no other time', async () => {
  expect(await testRules(stringify(alertRules()))).toContain('SUCCESS')
})

test('an alert with another threshold fails its test', async () => {
  const careless = stringify(alertRules()).replace('age_seconds) > 60', 'age_seconds) > 90')
  await expect(testRules(careless)).rejects.toThrow('TriplineUnknownOrder')
})
