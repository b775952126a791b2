import { at, changed, describeMistakes, type Mistake, put, written } from './planted.ts'

/** The place of the first path in an ingress. */
const firstWay = ['spec', 'rules', 0, 'http', 'paths', 0] as const

/** Gives the program of the ingress of alerts other settings. */
function saying(say: (snippet: string) => string): Mistake[1] {
  return changed('Ingress', 'webhook', (object) => {
    const annotations = at(object, 'metadata', 'annotations')
    const snippet = String(annotations['haproxy.org/backend-config-snippet'])
    put(annotations, 'haproxy.org/backend-config-snippet', say(snippet))
  })
}

describeMistakes([
  [
    'a way in to keys',
    written('Ingress', 'web', [...firstWay, 'backend', 'service', 'name'], 'keys'),
    'the ingress leads Prefix / -> keys:http',
  ],
  [
    'a way in to the metrics of the gateway',
    written('Ingress', 'web', [...firstWay, 'backend', 'service', 'port', 'name'], 'metrics'),
    'the ingress leads Prefix / -> gateway:metrics',
  ],
  [
    'alerts through the gateway',
    written('Ingress', 'webhook', [...firstWay, 'backend', 'service', 'name'], 'gateway'),
    'no ingress leads Prefix /webhook/ -> intake:http',
  ],
  [
    'a way in for what is left',
    written('Ingress', 'web', ['spec', 'defaultBackend'], {
      service: { name: 'keys', port: { name: 'http' } },
    }),
    'the ingress web leads what it does not know somewhere',
  ],
  [
    'a way in the clear',
    written('Ingress', 'webhook', ['spec', 'tls'], []),
    'the ingress webhook leads in the clear',
  ],
  [
    'connections for several alerts',
    saying((snippet) => snippet.replace('option http-server-close\n', '')),
    'the ingress webhook does not say: option http-server-close',
  ],
  [
    'a 504 for the platform',
    saying((snippet) => snippet.replace('{ status 502 504 }', '{ status 502 }')),
    'the ingress webhook does not say: http-after-response set-status 503 if { status 502 504 }',
  ],
  [
    'alerts that are sent twice',
    saying((snippet) => snippet.replace('conn-failure', 'all-retryable-errors')),
    'the ingress webhook says besides: retry-on all-retryable-errors',
  ],
  [
    'alerts of one person to anybody',
    written('Ingress', 'webhook', ['metadata', 'annotations', 'haproxy.org/load-balance'], 'roundrobin'),
    'the ingress webhook does not say: balance uri path-only',
  ],
])
