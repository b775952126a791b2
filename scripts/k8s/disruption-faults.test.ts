import { at, changed, describeMistakes, inPod, put, selectingNobody, without, written } from './planted.ts'

describeMistakes([
  [
    'no budget',
    without('PodDisruptionBudget', 'executor'),
    'executor has 0 budgets for disruptions, not one',
  ],
  [
    'a budget about nobody',
    selectingNobody('PodDisruptionBudget', 'intake'),
    'intake has 0 budgets for disruptions, not one',
  ],
  [
    'a budget that keeps nodes from being emptied',
    written('PodDisruptionBudget', 'intake', ['spec', 'maxUnavailable'], 0),
    'of intake not one at a time may be taken away, but 0',
  ],
  [
    'a budget of a majority',
    written('PodDisruptionBudget', 'nats', ['spec', 'maxUnavailable'], 2),
    'of nats not one at a time may be taken away, but 2',
  ],
  [
    'all on one node',
    written('Deployment', 'gateway', inPod('topologySpreadConstraints'), []),
    'gateway is not spread by kubernetes.io/hostname',
  ],
  [
    'all in one zone',
    changed('StatefulSet', 'nats', (o) => {
      const [, byNode] = at(o, ...inPod('topologySpreadConstraints'))
      put(at(o, ...inPod()), 'topologySpreadConstraints', [byNode])
    }),
    'nats is not spread by topology.kubernetes.io/zone',
  ],
  [
    'others that are spread',
    written('Deployment', 'history', inPod('topologySpreadConstraints', 0, 'labelSelector', 'matchLabels'), {
      name: 'another',
    }),
    'history is not spread by topology.kubernetes.io/zone',
  ],
])
