import { at, changed, containerOf, describeMistakes, put } from './planted.ts'

describeMistakes([
  [
    'a misspelt field',
    changed('Deployment', 'intake', (o) => put(at(o, 'spec'), 'replicaz', 2)),
    'spec.replicaz is no known field',
  ],
  [
    'a misspelt probe',
    changed('Deployment', 'intake', (o) => put(containerOf(o), 'readynessProbe', {})),
    'spec.template.spec.containers[0].readynessProbe is no known field',
  ],
  [
    'a misspelt field of a scaled object',
    changed('ScaledObject', 'history', (o) => put(at(o, 'spec'), 'minReplicaCuont', 2)),
    'ScaledObject/history: spec.minReplicaCuont is no known field',
  ],
  [
    'a misspelt field of a trigger',
    changed('ScaledObject', 'history', (o) => put(at(o, 'spec', 'triggers', 0), 'metadataa', {})),
    'ScaledObject/history: spec.triggers[0].metadataa is no known field',
  ],
  [
    'a misspelt interval of a monitor of pods',
    changed('PodMonitor', 'services', (o) =>
      put(at(o, 'spec', 'podMetricsEndpoints', 0), 'intervall', '15s'),
    ),
    'PodMonitor/services: spec.podMetricsEndpoints[0].intervall is no known field',
  ],
  [
    'a misspelt duration of an alert rule',
    changed('PrometheusRule', 'tripline', (o) => put(at(o, 'spec', 'groups', 0, 'rules', 0), 'four', '1m')),
    'PrometheusRule/tripline: spec.groups[0].rules[0].four is no known field',
  ],
  [
    'a misspelt interval of an external secret',
    changed('ExternalSecret', 'intake', (o) => put(at(o, 'spec'), 'refreshIntervall', '1h')),
    'ExternalSecret/intake: spec.refreshIntervall is no known field',
  ],
  [
    'a misspelt label of a custom object',
    changed('ExternalSecret', 'intake', (o) => put(at(o, 'metadata'), 'lables', {})),
    'ExternalSecret/intake: metadata.lables is no known field',
  ],
  [
    'a port in quotes',
    changed('Deployment', 'intake', (o) => put(at(containerOf(o), 'ports', 0), 'containerPort', '8080')),
    'spec.template.spec.containers[0].ports[0].containerPort is not of type number',
  ],
  [
    'no selector',
    changed('Deployment', 'intake', (o) => put(at(o, 'spec'), 'selector', undefined)),
    'selector',
  ],
  [
    'no trigger in a scaled object',
    changed('ScaledObject', 'history', (o) => put(at(o, 'spec'), 'triggers', undefined)),
    'triggers',
  ],
  [
    'no selector in a monitor of pods',
    changed('PodMonitor', 'services', (o) => put(at(o, 'spec'), 'selector', undefined)),
    'selector',
  ],
  [
    'an unknown kind',
    changed('Service', 'intake', (o) => put(o, 'kind', 'Servise')),
    'there is no model of v1 Servise',
  ],
])
