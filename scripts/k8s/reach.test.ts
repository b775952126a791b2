import { at, changed, describeMistakes, put, type Tree, written } from './planted.ts'

const egress = (object: Tree, index: number): Tree => at(object, 'spec', 'egress', index)

describeMistakes([
  [
    'metrics for another namespace',
    changed('NetworkPolicy', 'metrics', (o) =>
      put(
        at(o, 'spec', 'ingress', 0, 'from', 0, 'namespaceSelector', 'matchLabels'),
        'kubernetes.io/metadata.name',
        'elsewhere',
      ),
    ),
    'namespace elsewhere -> executor:8080 is open',
  ],
  [
    'a policy that lets history out',
    written('NetworkPolicy', 'executor', ['spec', 'podSelector'], {}),
    'history -> outside:443 is open',
  ],
  [
    'a policy that lets the gateway into the database',
    written('NetworkPolicy', 'to-postgres', ['spec', 'podSelector'], {}),
    'gateway -> namespace tripline-stores:5432 is open',
  ],
  [
    'a way to what is private',
    changed('NetworkPolicy', 'executor', (o) =>
      put(at(egress(o, 0), 'to', 0, 'ipBlock'), 'except', undefined),
    ),
    'executor -> outside and 10.0.0.0/8, 100.64.0.0/10, 169.254.0.0/16, 172.16.0.0/12, 192.168.0.0/16:443 is open',
  ],
  [
    'a way to the settings that the provider gives its machines',
    changed('NetworkPolicy', 'notifier', (o) =>
      put(at(egress(o, 0), 'to', 0, 'ipBlock'), 'except', [
        '10.0.0.0/8',
        '100.64.0.0/10',
        '172.16.0.0/12',
        '192.168.0.0/16',
      ]),
    ),
    'notifier -> outside and 169.254.0.0/16:443 is open',
  ],
  [
    'a neighbour',
    changed('NetworkPolicy', 'executor', (o) =>
      put(egress(o, 0), 'to', [{ ipBlock: { cidr: '10.1.2.3/32' } }]),
    ),
    'executor -> addresses 10.1.2.3/32:443 is open',
  ],
  [
    'names by TCP only',
    changed('NetworkPolicy', 'names', (o) => put(egress(o, 0), 'ports', [{ port: 53, protocol: 'TCP' }])),
    'intake -> namespace kube-system:53/udp is closed',
  ],
  [
    'no cache of names on the node',
    changed('NetworkPolicy', 'names', (o) => {
      const [servers] = at(egress(o, 0), 'to')
      put(egress(o, 0), 'to', [servers])
    }),
    'intake -> addresses 169.254.20.10/32:53/udp is closed',
  ],
  [
    'more ports than one',
    changed('NetworkPolicy', 'executor', (o) => put(at(egress(o, 0), 'ports', 0), 'endPort', 9000)),
    'executor -> outside:443-9000 is open',
  ],
  [
    'any port',
    changed('NetworkPolicy', 'executor', (o) => put(egress(o, 0), 'ports', undefined)),
    'executor -> outside:any is open',
  ],
  [
    'anybody',
    changed('NetworkPolicy', 'executor', (o) => put(egress(o, 0), 'to', undefined)),
    'executor -> anybody:443 is open',
  ],
  [
    'rules for a way that the policy is not about',
    written('NetworkPolicy', 'executor', ['spec', 'policyTypes'], ['Ingress']),
    'executor -> outside:443 is closed',
  ],
  [
    'no denial',
    written('NetworkPolicy', 'nothing', ['spec', 'policyTypes'], ['Ingress']),
    'traffic that no policy allows is not denied',
  ],
])
