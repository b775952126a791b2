import { at, changed, describeMistakes, podOf, put, without } from './planted.ts'

describeMistakes([
  [
    'no budget',
    without('PodDisruptionBudget', 'executor'),
    'executor has 0 budgets for disruptions, not one',
  ],
  [
    'a budget about nobody',
    changed('PodDisruptionBudget', 'intake', (o) =>
      put(at(o, 'spec', 'selector', 'matchLabels'), 'app.kubernetes.io/name', 'inteke'),
    ),
    'intake has 0 budgets for disruptions, not one',
  ],
  [
    'a budget that keeps nodes from being emptied',
    changed('PodDisruptionBudget', 'intake', (o) => put(at(o, 'spec'), 'maxUnavailable', 0)),
    'of intake not one at a time may be taken away, but 0',
  ],
  [
    'a budget of a majority',
    changed('PodDisruptionBudget', 'nats', (o) => put(at(o, 'spec'), 'maxUnavailable', 2)),
    'of nats not one at a time may be taken away, but 2',
  ],
  [
    'all on one node',
    changed('Deployment', 'gateway', (o) => put(podOf(o), 'topologySpreadConstraints', [])),
    'gateway is not spread by kubernetes.io/hostname',
  ],
  [
    'all in one zone',
    changed('StatefulSet', 'nats', (o) => {
      const [, byNode] = at(podOf(o), 'topologySpreadConstraints')
      put(podOf(o), 'topologySpreadConstraints', [byNode])
    }),
    'nats is not spread by topology.kubernetes.io/zone',
  ],
  [
    'others that are spread',
    changed('Deployment', 'history', (o) =>
      put(at(podOf(o), 'topologySpreadConstraints', 0, 'labelSelector'), 'matchLabels', { name: 'another' }),
    ),
    'history is not spread by topology.kubernetes.io/zone',
  ],
])
