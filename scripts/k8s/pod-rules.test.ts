import { at, changed, containerOf, describeMistakes, podOf, put } from './planted.ts'

describeMistakes([
  [
    'root',
    changed('Deployment', 'intake', (o) => put(at(podOf(o), 'securityContext'), 'runAsUser', 0)),
    'intake runs as root',
  ],
  [
    'a container that may be root',
    changed('Deployment', 'intake', (o) => put(at(containerOf(o), 'securityContext'), 'runAsNonRoot', false)),
    'intake: container service runs as root',
  ],
  [
    'a root that may be written to',
    changed('StatefulSet', 'nats', (o) =>
      put(at(containerOf(o), 'securityContext'), 'readOnlyRootFilesystem', false),
    ),
    'container nats may write to its root',
  ],
  [
    'a privileged container',
    changed('Deployment', 'intake', (o) => put(at(containerOf(o), 'securityContext'), 'privileged', true)),
    'intake: container service is privileged',
  ],
  [
    'a capability',
    changed('Deployment', 'intake', (o) =>
      put(at(containerOf(o), 'securityContext', 'capabilities'), 'add', ['NET_ADMIN']),
    ),
    'intake: container service keeps capabilities',
  ],
  [
    'a container without seccomp',
    changed('Deployment', 'intake', (o) =>
      put(at(containerOf(o), 'securityContext'), 'seccompProfile', { type: 'Unconfined' }),
    ),
    'intake: container service has another seccomp profile',
  ],
  [
    'a port of the node',
    changed('Deployment', 'intake', (o) => put(at(containerOf(o), 'ports', 0), 'hostPort', 8080)),
    'intake: container service takes a port of the node',
  ],
  [
    'the memory of the node',
    changed('Deployment', 'intake', (o) => put(podOf(o), 'hostIPC', true)),
    'intake shares its network or processes with the node',
  ],
  [
    'pods that are not its own',
    changed('Deployment', 'intake', (o) =>
      put(at(o, 'spec', 'selector', 'matchLabels'), 'app.kubernetes.io/name', 'inteke'),
    ),
    'intake does not take its own pods for its own',
  ],
  [
    'no limit of memory',
    changed('Deployment', 'keys', (o) => put(at(containerOf(o), 'resources'), 'limits', { cpu: '1' })),
    'container service has no limit of memory',
  ],
  [
    'a limit of cpu on executors',
    changed('Deployment', 'executor', (o) => put(at(containerOf(o), 'resources', 'limits'), 'cpu', '1')),
    'has a limit of cpu, which pauses it',
  ],
  [
    'no readiness',
    changed('Deployment', 'auth', (o) => put(containerOf(o), 'readinessProbe', undefined)),
    'container service has no readiness probe',
  ],
])
