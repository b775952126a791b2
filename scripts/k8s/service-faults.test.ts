import { describeMistakes, written } from './planted.ts'

describeMistakes([
  [
    'a bus for the world',
    written('Service', 'nats', ['spec', 'type'], 'LoadBalancer'),
    'the service nats is reached from outside the cluster',
  ],
  [
    'an address of the world',
    written('Service', 'keys', ['spec', 'externalIPs'], ['203.0.113.7']),
    'the service keys is reached from outside the cluster',
  ],
  [
    'a name that leads nowhere',
    written('Service', 'intake', ['spec', 'selector'], { 'app.kubernetes.io/name': 'inteke' }),
    'the service intake leads to no pod',
  ],
  [
    'a name that leads everywhere',
    written('Service', 'keys', ['spec', 'selector'], { 'app.kubernetes.io/part-of': 'tripline' }),
    'the service keys leads to ',
  ],
  [
    'a name that leads to no port',
    written('Service', 'auth', ['spec', 'ports', 0, 'targetPort'], 'web'),
    'the service auth leads to a port web, which auth does not have',
  ],
])
