import { added, at, changed, describeMistakes, put, without, written } from './planted.ts'

const pod = { containers: [{ name: 'shell', image: 'busybox:1' }], restartPolicy: 'Never' }

describeMistakes([
  [
    'a pod by itself',
    added({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'debug' }, spec: pod }),
    'Pod/debug is not expected',
  ],
  [
    'a job by the calendar',
    added({
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'nightly' },
      spec: { schedule: '0 3 * * *', jobTemplate: { spec: { template: { spec: pod } } } },
    }),
    'CronJob/nightly is not expected',
  ],
  [
    'rights on the API',
    added({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'reader' },
      rules: [],
    }),
    'Role/reader is not expected',
  ],
  [
    'another workload',
    written('Deployment', 'keys', ['metadata', 'name'], 'keyring'),
    'Deployment/keyring is not expected',
  ],
  [
    'executors with names of their own',
    changed('Deployment', 'executor', (o) => {
      put(o, 'kind', 'StatefulSet')
      put(at(o, 'spec'), 'serviceName', 'executor')
      put(at(o, 'spec'), 'strategy', undefined)
    }),
    'StatefulSet/executor is not expected',
  ],
  ['no setup', without('Job', 'setup'), 'Job/setup is not there'],
])
