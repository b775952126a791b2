import { serviceNames } from '@tripline/testkit/stack/services'
import type { Way } from './reach.ts'

const onBus = [...serviceNames.filter((name) => name !== 'paper-exchange'), 'setup']
const inDatabase = ['auth', 'keys', 'intake', 'executor', 'history', 'notifier', 'setup']

// Of the cluster's name servers, and of the cache that a node may have; short answers come by UDP, long ones by TCP.
const nameServers = ['namespace kube-system', 'addresses 169.254.20.10/32']

function names(workload: string): Way[] {
  return nameServers.flatMap((server): Way[] => [
    `${workload} -> ${server}:53`,
    `${workload} -> ${server}:53/udp`,
  ])
}

const everywhere: Way[] = [
  ...[...onBus, 'paper-exchange', 'nats'].flatMap(names),
  ...onBus.map((name): Way => `${name} -> nats:4222`),
  'nats -> nats:6222',
  // Webhooks are passed on, and everybody is asked for readiness.
  ...serviceNames.filter((name) => name !== 'gateway').map((name): Way => `gateway -> ${name}:8080`),
  'namespace haproxy-controller -> gateway:8080',
  'namespace haproxy-controller -> intake:8080',
  // The gateway's usual port is the world's.
  ...serviceNames.map((name): Way => `namespace monitoring -> ${name}:${name === 'gateway' ? 9464 : 8080}`),
  'executor -> paper-exchange:8080',
  'executor -> outside:443',
  'notifier -> outside:443',
  'auth -> outside:465',
  'auth -> outside:587',
]

const ownStores: Way[] = [
  ...['postgres', 'valkey'].flatMap(names),
  ...inDatabase.map((name): Way => `${name} -> postgres:5432`),
  'intake -> valkey:6379',
]
const storesElsewhere: Way[] = [
  ...inDatabase.map((name): Way => `${name} -> namespace tripline-stores:5432`),
  'intake -> namespace tripline-stores:6379',
]

const traced = ['gateway', 'intake', 'executor', 'history', 'notifier']

/** The ways that have to be open in an overlay; no other may be. */
export const expectedWays: Record<string, ReadonlySet<Way>> = {
  small: new Set([...everywhere, ...ownStores]),
  production: new Set([...everywhere, ...storesElsewhere]),
  standby: new Set([...everywhere, ...storesElsewhere]),
  operators: new Set([
    ...everywhere,
    ...storesElsewhere,
    'namespace keda -> nats:8222',
    ...traced.map((name): Way => `${name} -> namespace monitoring:4318`),
  ]),
}
