import { describeMistakes, inContainer, written } from './planted.ts'

describeMistakes([
  [
    'a misspelt field',
    written('Deployment', 'intake', ['spec', 'replicaz'], 2),
    'spec.replicaz is no known field',
  ],
  [
    'a misspelt probe',
    written('Deployment', 'intake', inContainer('readynessProbe'), {}),
    'spec.template.spec.containers[0].readynessProbe is no known field',
  ],
  [
    'a misspelt field of a scaled object',
    written('ScaledObject', 'history', ['spec', 'minReplicaCuont'], 2),
    'ScaledObject/history: spec.minReplicaCuont is no known field',
  ],
  [
    'a misspelt field of a trigger',
    written('ScaledObject', 'history', ['spec', 'triggers', 0, 'metadataa'], {}),
    'ScaledObject/history: spec.triggers[0].metadataa is no known field',
  ],
  [
    'a misspelt interval of a monitor of pods',
    written('PodMonitor', 'services', ['spec', 'podMetricsEndpoints', 0, 'intervall'], '15s'),
    'PodMonitor/services: spec.podMetricsEndpoints[0].intervall is no known field',
  ],
  [
    'a misspelt duration of an alert rule',
    written('PrometheusRule', 'tripline', ['spec', 'groups', 0, 'rules', 0, 'four'], '1m'),
    'PrometheusRule/tripline: spec.groups[0].rules[0].four is no known field',
  ],
  [
    'a misspelt interval of an external secret',
    written('ExternalSecret', 'intake', ['spec', 'refreshIntervall'], '1h'),
    'ExternalSecret/intake: spec.refreshIntervall is no known field',
  ],
  [
    'a misspelt label of a custom object',
    written('ExternalSecret', 'intake', ['metadata', 'lables'], {}),
    'ExternalSecret/intake: metadata.lables is no known field',
  ],
  [
    'a port in quotes',
    written('Deployment', 'intake', inContainer('ports', 0, 'containerPort'), '8080'),
    'spec.template.spec.containers[0].ports[0].containerPort is not of type number',
  ],
  ['no selector', written('Deployment', 'intake', ['spec', 'selector'], undefined), 'selector'],
  [
    'no trigger in a scaled object',
    written('ScaledObject', 'history', ['spec', 'triggers'], undefined),
    'triggers',
  ],
  [
    'no selector in a monitor of pods',
    written('PodMonitor', 'services', ['spec', 'selector'], undefined),
    'selector',
  ],
  ['an unknown kind', written('Service', 'intake', ['kind'], 'Servise'), 'there is no model of v1 Servise'],
])
