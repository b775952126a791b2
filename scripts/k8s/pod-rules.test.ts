import { describeMistakes, inContainer, inPod, selectingNobody, written } from './planted.ts'

describeMistakes([
  ['root', written('Deployment', 'intake', inPod('securityContext', 'runAsUser'), 0), 'intake runs as root'],
  [
    'a container that may be root',
    written('Deployment', 'intake', inContainer('securityContext', 'runAsNonRoot'), false),
    'intake: container service runs as root',
  ],
  [
    'a root that may be written to',
    written('StatefulSet', 'nats', inContainer('securityContext', 'readOnlyRootFilesystem'), false),
    'container nats may write to its root',
  ],
  [
    'a privileged container',
    written('Deployment', 'intake', inContainer('securityContext', 'privileged'), true),
    'intake: container service is privileged',
  ],
  [
    'a capability',
    written('Deployment', 'intake', inContainer('securityContext', 'capabilities', 'add'), ['NET_ADMIN']),
    'intake: container service keeps capabilities',
  ],
  [
    'a container without seccomp',
    written('Deployment', 'intake', inContainer('securityContext', 'seccompProfile'), { type: 'Unconfined' }),
    'intake: container service has another seccomp profile',
  ],
  [
    'a port of the node',
    written('Deployment', 'intake', inContainer('ports', 0, 'hostPort'), 8080),
    'intake: container service takes a port of the node',
  ],
  [
    'the memory of the node',
    written('Deployment', 'intake', inPod('hostIPC'), true),
    'intake shares its network or processes with the node',
  ],
  [
    'pods that are not its own',
    selectingNobody('Deployment', 'intake'),
    'intake does not take its own pods for its own',
  ],
  [
    'no limit of memory',
    written('Deployment', 'keys', inContainer('resources', 'limits'), { cpu: '1' }),
    'container service has no limit of memory',
  ],
  [
    'a limit of cpu on executors',
    written('Deployment', 'executor', inContainer('resources', 'limits', 'cpu'), '1'),
    'has a limit of cpu, which pauses it',
  ],
  [
    'no readiness',
    written('Deployment', 'auth', inContainer('readinessProbe'), undefined),
    'container service has no readiness probe',
  ],
])
