import { at, changed, describeMistakes, put, type Tree } from './planted.ts'

const pathOf = (object: Tree): Tree => at(object, 'spec', 'rules', 0, 'http', 'paths', 0)

function sayOtherwise(say: (snippet: string) => string): (object: Tree) => void {
  return (object) => {
    const annotations = at(object, 'metadata', 'annotations')
    const snippet = String(annotations['haproxy.org/backend-config-snippet'])
    put(annotations, 'haproxy.org/backend-config-snippet', say(snippet))
  }
}

describeMistakes([
  [
    'a way in to keys',
    changed('Ingress', 'web', (o) => put(at(pathOf(o), 'backend', 'service'), 'name', 'keys')),
    'the ingress leads Prefix / -> keys:http',
  ],
  [
    'a way in to the metrics of the gateway',
    changed('Ingress', 'web', (o) => put(at(pathOf(o), 'backend', 'service', 'port'), 'name', 'metrics')),
    'the ingress leads Prefix / -> gateway:metrics',
  ],
  [
    'alerts through the gateway',
    changed('Ingress', 'webhook', (o) => put(at(pathOf(o), 'backend', 'service'), 'name', 'gateway')),
    'no ingress leads Prefix /webhook/ -> intake:http',
  ],
  [
    'a way in for what is left',
    changed('Ingress', 'web', (o) =>
      put(at(o, 'spec'), 'defaultBackend', { service: { name: 'keys', port: { name: 'http' } } }),
    ),
    'the ingress web leads what it does not know somewhere',
  ],
  [
    'a way in the clear',
    changed('Ingress', 'webhook', (o) => put(at(o, 'spec'), 'tls', [])),
    'the ingress webhook leads in the clear',
  ],
  [
    'connections for several alerts',
    changed(
      'Ingress',
      'webhook',
      sayOtherwise((snippet) => snippet.replace('option http-server-close\n', '')),
    ),
    'the ingress webhook does not say: option http-server-close',
  ],
  [
    'a 504 for the platform',
    changed(
      'Ingress',
      'webhook',
      sayOtherwise((snippet) => snippet.replace('{ status 502 504 }', '{ status 502 }')),
    ),
    'the ingress webhook does not say: http-after-response set-status 503 if { status 502 504 }',
  ],
  [
    'alerts that are sent twice',
    changed(
      'Ingress',
      'webhook',
      sayOtherwise((snippet) => snippet.replace('conn-failure', 'all-retryable-errors')),
    ),
    'the ingress webhook says besides: retry-on all-retryable-errors',
  ],
  [
    'alerts of one person to anybody',
    changed('Ingress', 'webhook', (o) =>
      put(at(o, 'metadata', 'annotations'), 'haproxy.org/load-balance', 'roundrobin'),
    ),
    'the ingress webhook does not say: balance uri path-only',
  ],
])
