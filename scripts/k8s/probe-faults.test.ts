import { at, changed, containerOf, describeMistakes, put } from './planted.ts'

describeMistakes([
  [
    'a readiness that is none',
    changed('Deployment', 'intake', (o) =>
      put(at(containerOf(o), 'readinessProbe', 'httpGet'), 'path', '/nope'),
    ),
    'intake: the readinessProbe of service asks for what tells nothing',
  ],
  [
    'a restart for who waits for the database',
    changed('Deployment', 'auth', (o) =>
      put(at(containerOf(o), 'livenessProbe', 'httpGet'), 'path', '/readyz'),
    ),
    'auth: the livenessProbe of service asks for what tells nothing',
  ],
  [
    'a port that is not there',
    changed('Deployment', 'keys', (o) => put(at(containerOf(o), 'startupProbe', 'httpGet'), 'port', 'web')),
    'keys: the startupProbe of service asks for what tells nothing',
  ],
  [
    'a server of the bus that has not caught up',
    changed('StatefulSet', 'nats', (o) =>
      put(at(containerOf(o), 'startupProbe', 'httpGet'), 'path', '/healthz?js-enabled-only=true'),
    ),
    'nats: the startupProbe of nats asks for what tells nothing',
  ],
])
