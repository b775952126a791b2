import type { KubernetesObject, Workload } from '@tripline/testkit/k8s/document'
import { Selector, selects } from '@tripline/testkit/k8s/selector'
import { serviceNames } from '@tripline/testkit/stack/services'
import { z } from 'zod'

const Budget = z.looseObject({
  selector: Selector,
  maxUnavailable: z.union([z.number(), z.string()]).optional(),
})
type Budget = z.infer<typeof Budget>

// Of the paper exchange there is only ever one.
const several: readonly string[] = [...serviceNames.filter((name) => name !== 'paper-exchange'), 'nats']

/** Returns faults that take several processes of a kind away at once, or keep a node from being emptied. */
export function disruptionFaults(
  objects: readonly KubernetesObject[],
  workloads: readonly Workload[],
): string[] {
  const budgets = objects
    .filter(({ kind }) => kind === 'PodDisruptionBudget')
    .map(({ spec }) => Budget.parse(spec))
  return workloads
    .filter(({ name }) => several.includes(name))
    .flatMap((workload) => [...budgetFaults(workload, budgets), ...spreadFaults(workload)])
}

function budgetFaults({ name, labels }: Workload, budgets: Budget[]): string[] {
  const own = budgets.filter(({ selector }) => selects(selector, labels))
  const [budget] = own
  if (budget === undefined || own.length > 1)
    return [`${name} has ${own.length} budgets for disruptions, not one`]
  if (budget.maxUnavailable === 1) return []
  return [`of ${name} not one at a time may be taken away, but ${budget.maxUnavailable}`]
}

const spreadOver = ['topology.kubernetes.io/zone', 'kubernetes.io/hostname']

function spreadFaults({ name, labels, pod }: Workload): string[] {
  return spreadOver
    .filter((key) =>
      pod.topologySpreadConstraints.every(
        ({ topologyKey, labelSelector }) =>
          topologyKey !== key || labelSelector === undefined || !selects(labelSelector, labels),
      ),
    )
    .map((key) => `${name} is not spread by ${key}`)
}
