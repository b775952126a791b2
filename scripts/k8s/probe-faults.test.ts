import { describeMistakes, inContainer, written } from './planted.ts'

describeMistakes([
  [
    'a readiness that is none',
    written('Deployment', 'intake', inContainer('readinessProbe', 'httpGet', 'path'), '/nope'),
    'intake: the readinessProbe of service asks a path that shows nothing',
  ],
  [
    'a restart for who waits for the database',
    written('Deployment', 'auth', inContainer('livenessProbe', 'httpGet', 'path'), '/readyz'),
    'auth: the livenessProbe of service asks a path that shows nothing',
  ],
  [
    'a port that is not there',
    written('Deployment', 'keys', inContainer('startupProbe', 'httpGet', 'port'), 'web'),
    'keys: the startupProbe of service asks a path that shows nothing',
  ],
  [
    'a server of the bus that has not caught up',
    written(
      'StatefulSet',
      'nats',
      inContainer('startupProbe', 'httpGet', 'path'),
      '/healthz?js-enabled-only=true',
    ),
    'nats: the startupProbe of nats asks a path that shows nothing',
  ],
])
