import {
  alertsDelayedSubject,
  answerDeliveredSubject,
  type BucketName,
  type DurableName,
  deliveriesAskedSubject,
  durables,
  type StreamName,
  sessionEndedSubject,
  storedPrefix,
} from './subject.ts'

/** The subjects that one service may publish and subscribe to on the bus, as patterns. */
export interface Permission {
  publish: readonly string[]
  subscribe: readonly string[]
}

/** Every process that has a user of its own on the bus; `ops` sets up streams and buckets. */
export const busUsers = [
  'ops',
  'gateway',
  'auth',
  'keys',
  'intake',
  'executor',
  'history',
  'notifier',
] as const
export type BusUser = (typeof busUsers)[number]

/** With this begins every subject on which replies arrive. */
export const inboxes = '_INBOX_'

/** Replies to a service arrive below this, so that no other service can read them. */
export function inboxPrefix(user: BusUser): string {
  return `${inboxes}${user}`
}

/** Prefix of the subjects of messages that a process sends to itself, to see whether they come back. */
export function roundTripPrefix(user: BusUser): string {
  return `${inboxPrefix(user)}.self`
}

/** The permission of each bus user; replies to received requests are allowed besides (`allow_responses`). */
export const permissions: Record<BusUser, Permission> = {
  ops: { publish: ['>'], subscribe: ['>'] },
  gateway: own('gateway', {
    publish: [
      'auth.*.*',
      'keys.*.*',
      'history.*.*',
      'intake.*.*',
      'notifier.*.*',
      'executor.*.alert.plan',
      'executor.*.bot.diagnose',
      'executor.*.account.read',
      answerDeliveredSubject,
      ...gets('EVENTS'),
    ],
    subscribe: [sessionEndedSubject, deliveriesAskedSubject, ...follows('EVENTS')],
  }),
  auth: own('auth', { publish: [sessionEndedSubject, 'keys.webhook.renew'], subscribe: ['auth.*.*'] }),
  keys: own('keys', {
    publish: [
      'executor.paper.open',
      'executor.paper.reset',
      'executor.key.test',
      ...getsBucket('config'),
      ...writesBucket('config'),
      ...getsBucket('credentials'),
      ...writesBucket('credentials'),
      ...erases('credentials'),
      ...getsBucket('notifications'),
      ...writesBucket('notifications'),
    ],
    subscribe: ['keys.*.*'],
  }),
  intake: own('intake', {
    publish: [
      'alert.*.*',
      'event.*.*',
      'auth.key.list',
      'history.alert.*',
      deliveriesAskedSubject,
      // The audit of receipts looks whether an alert is still there.
      ...gets('ALERTS'),
      ...getsBucket('config'),
      // The use of the bucket, and one key at a time.
      ...getsBucket('ids'),
      ...writesBucket('ids'),
    ],
    subscribe: [
      'result.*',
      'intake.*.*',
      sessionEndedSubject,
      answerDeliveredSubject,
      alertsDelayedSubject,
      ...follows('config'),
    ],
  }),
  executor: own('executor', {
    publish: [
      'event.*.*',
      'result.*',
      'history.alert.ends',
      alertsDelayedSubject,
      ...reads('ALERTS'),
      // Positions of the readers of former owners.
      '$JS.API.CONSUMER.LIST.ALERTS',
      '$JS.API.STREAM.MSG.DELETE.ALERTS',
      ...reads('EVENTS'),
      ...(['leases', 'members', 'progress', 'watches'] as const).flatMap((bucket) => [
        ...getsBucket(bucket),
        ...writesBucket(bucket),
      ]),
      ...erases('progress'),
      ...erases('watches'),
      ...getsBucket('config'),
      ...getsBucket('credentials'),
      // Its end.
      ...inspects('KV_ids'),
    ],
    subscribe: ['executor.>', ...(['leases', 'members', 'config', 'credentials'] as const).flatMap(follows)],
  }),
  history: own('history', {
    // It reads all of the stream again where it is made anew.
    publish: [...gets('EVENTS'), ...takes('to-history')],
    subscribe: ['history.*.*', durables['to-history'].deliverTo],
  }),
  notifier: own('notifier', {
    publish: [...inspects('EVENTS'), ...takes('to-notifier'), ...getsBucket('notifications')],
    subscribe: ['notifier.*.*', durables['to-notifier'].deliverTo, ...follows('notifications')],
  }),
}

function own(user: BusUser, permission: Permission): Permission {
  return {
    publish: ['$JS.API.INFO', `${roundTripPrefix(user)}.*`, ...permission.publish],
    subscribe: [`${inboxPrefix(user)}.>`, ...permission.subscribe],
  }
}

function inspects(stream: StreamName | `KV_${BucketName}`): string[] {
  return [`$JS.API.STREAM.INFO.${stream}`]
}

/** Getting messages by name: answers come as texts of the server's own, never as the message itself. */
function gets(stream: StreamName | `KV_${BucketName}`): string[] {
  return [...inspects(stream), `$JS.API.STREAM.MSG.GET.${stream}`]
}

function getsBucket(bucket: BucketName): string[] {
  return gets(`KV_${bucket}`)
}

/** Hearing what is stored from now on. */
function follows(name: StreamName | BucketName): string[] {
  return [`${storedPrefix(name)}.>`]
}

/** Taking from a durable consumer that setup made: who takes cannot say where it delivers. */
function takes(name: DurableName): string[] {
  const { stream } = durables[name]
  return [`$JS.API.CONSUMER.INFO.${stream}.${name}`, `$JS.ACK.${stream}.${name}.>`]
}

/** Making consumers: who may can have what lies in the stream delivered anywhere. */
function reads(stream: StreamName): string[] {
  return [
    ...gets(stream),
    `$JS.API.CONSUMER.CREATE.${stream}`,
    `$JS.API.CONSUMER.CREATE.${stream}.>`,
    `$JS.FC.${stream}.>`,
  ]
}

function writesBucket(bucket: BucketName): string[] {
  return [`$KV.${bucket}.>`]
}

/** Taking keys away so that not even a mark of them stays. */
function erases(bucket: BucketName): string[] {
  return [`$JS.API.STREAM.MSG.DELETE.KV_${bucket}`]
}
