import { renderSharedNatsConfig } from '@tripline/testkit/infra/nats-config'
import { type KubernetesObject, type Workload, workloadsOf } from '@tripline/testkit/k8s/document'
import { type Settings, serviceConfigs } from '../service-configs.ts'
import { Config as SetupConfig } from '../setup-servers.ts'
import { disruptionFaults } from './disruption-faults.ts'
import { strangerFaults } from './expected-objects.ts'
import { expectedWays } from './expected-ways.ts'
import { ingressFaults } from './ingress-faults.ts'
import { podFaults } from './pod-rules.ts'
import { probeFaults } from './probe-faults.ts'
import { deniesByDefault, openWays, type Way } from './reach.ts'
import { schemaFaults } from './schema-faults.ts'
import { serviceFaults } from './service-faults.ts'
import { graceFaults, settingsFaults } from './settings-faults.ts'

const settingsOf: Record<string, Settings> = { ...serviceConfigs, setup: SetupConfig }

/** Everything that is wrong with the objects of an overlay, a sentence each. */
export async function overlayFaults(overlay: string, objects: KubernetesObject[]): Promise<string[]> {
  const forms = await Promise.all(objects.map(schemaFaults))
  // A wrong form cannot be judged further.
  if (forms.flat().length > 0) return forms.flat()
  const workloads = workloadsOf(objects)
  return [
    ...strangerFaults(overlay, objects),
    ...workloads.flatMap(podFaults),
    ...workloads.flatMap(probeFaults),
    ...disruptionFaults(objects, workloads),
    ...workloads.flatMap(graceFaults),
    ...workloads.flatMap(ownSettingsFaults),
    ...accountFaults(objects, workloads),
    ...wayFaults(overlay, objects, workloads),
    ...serviceFaults(objects, workloads),
    ...ingressFaults(objects),
    ...busFaults(objects),
    ...namespaceFaults(objects),
  ]
}

function ownSettingsFaults(workload: Workload): string[] {
  const settings = settingsOf[workload.name]
  return settings === undefined ? [] : settingsFaults(workload, settings)
}

/** Each process is known by an account of its own, which has no token. */
function accountFaults(objects: KubernetesObject[], workloads: Workload[]): string[] {
  const accounts = objects.filter(({ kind }) => kind === 'ServiceAccount')
  const withToken = accounts
    .filter((account) => account['automountServiceAccountToken'] !== false)
    .map(({ metadata }) => `the service account ${metadata.name} gives its token away`)
  const shared = workloads
    .filter(({ name, pod }) => name in settingsOf && pod.serviceAccountName !== name)
    .map(({ name }) => `${name} runs under another's service account`)
  return [...withToken, ...shared]
}

function wayFaults(overlay: string, objects: KubernetesObject[], workloads: Workload[]): string[] {
  const expected = expectedWays[overlay] ?? new Set<Way>()
  const open = openWays(objects, workloads)
  return [
    ...(deniesByDefault(objects) ? [] : ['traffic that no policy allows is not denied']),
    ...[...open].filter((way) => !expected.has(way)).map((way) => `${way} is open`),
    ...[...expected].filter((way) => !open.has(way)).map((way) => `${way} is closed`),
  ]
}

function busFaults(objects: KubernetesObject[]): string[] {
  const rendered = renderSharedNatsConfig()
  const isCurrent = objects.some((object) => {
    const files = object['data']
    return (
      typeof files === 'object' && files !== null && 'users.conf' in files && files['users.conf'] === rendered
    )
  })
  return isCurrent ? [] : ['the users of the bus are not those of proto; k8s:check -- --write writes them']
}

function namespaceFaults(objects: KubernetesObject[]): string[] {
  return objects
    .filter(({ kind }) => kind === 'Namespace')
    .filter(({ metadata }) => metadata.labels?.['pod-security.kubernetes.io/enforce'] !== 'restricted')
    .map(({ metadata }) => `the namespace ${metadata.name} does not enforce restricted pods`)
}
