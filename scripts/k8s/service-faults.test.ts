import { at, changed, describeMistakes, put } from './planted.ts'

describeMistakes([
  [
    'a bus for the world',
    changed('Service', 'nats', (o) => put(at(o, 'spec'), 'type', 'LoadBalancer')),
    'the service nats is reached from outside the cluster',
  ],
  [
    'an address of the world',
    changed('Service', 'keys', (o) => put(at(o, 'spec'), 'externalIPs', ['203.0.113.7'])),
    'the service keys is reached from outside the cluster',
  ],
  [
    'a name that leads nowhere',
    changed('Service', 'intake', (o) =>
      put(at(o, 'spec'), 'selector', { 'app.kubernetes.io/name': 'inteke' }),
    ),
    'the service intake leads to no pod',
  ],
  [
    'a name that leads everywhere',
    changed('Service', 'keys', (o) =>
      put(at(o, 'spec'), 'selector', { 'app.kubernetes.io/part-of': 'tripline' }),
    ),
    'the service keys leads to ',
  ],
  [
    'a name that leads to no port',
    changed('Service', 'auth', (o) => put(at(o, 'spec', 'ports', 0), 'targetPort', 'web')),
    'the service auth leads to a port web, which auth does not have',
  ],
])
