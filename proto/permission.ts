import { type BucketName, type StreamName, sessionEndedSubject } from './subject.ts'

/** What one service may say and hear on the bus, as subject patterns. */
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

/** Replies to a service arrive below this, so that no other service can read them. */
export function inboxPrefix(user: BusUser): string {
  return `_INBOX_${user}`
}

/** What each bus user may do; replies to requests heard are allowed besides (`allow_responses`). */
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
      ...reads('EVENTS'),
    ],
    subscribe: [sessionEndedSubject],
  }),
  auth: own('auth', { publish: [sessionEndedSubject], subscribe: ['auth.*.*'] }),
  keys: own('keys', {
    publish: [
      'executor.paper.open',
      'executor.paper.reset',
      'executor.key.test',
      ...readsBucket('config'),
      ...writesBucket('config'),
      ...readsBucket('credentials'),
      ...writesBucket('credentials'),
      ...readsBucket('notifications'),
      ...writesBucket('notifications'),
    ],
    subscribe: ['keys.*.*'],
  }),
  intake: own('intake', {
    publish: ['alert.*.*', 'event.*.*', 'auth.key.list', ...inspects('ALERTS'), ...readsBucket('config')],
    subscribe: ['result.*', 'intake.*.*', sessionEndedSubject],
  }),
  executor: own('executor', {
    publish: [
      'event.*.*',
      'result.*',
      ...reads('ALERTS'),
      '$JS.API.STREAM.MSG.DELETE.ALERTS',
      ...reads('EVENTS'),
      ...(['leases', 'members', 'progress', 'watches'] as const).flatMap((bucket) => [
        ...readsBucket(bucket),
        ...writesBucket(bucket),
      ]),
      ...erases('progress'),
      ...erases('watches'),
      ...readsBucket('config'),
      ...readsBucket('credentials'),
    ],
    subscribe: ['executor.>'],
  }),
  history: own('history', {
    publish: [
      ...reads('EVENTS'),
      // Under the second name it reads all of the stream again.
      ...['history', 'history-rebuild'].flatMap((durable) => [
        `$JS.API.CONSUMER.MSG.NEXT.EVENTS.${durable}`,
        `$JS.ACK.EVENTS.${durable}.>`,
      ]),
      '$JS.API.CONSUMER.DELETE.EVENTS.history-rebuild',
    ],
    subscribe: ['history.*.*'],
  }),
  notifier: own('notifier', {
    publish: [
      ...reads('EVENTS'),
      '$JS.API.CONSUMER.MSG.NEXT.EVENTS.notifier',
      '$JS.ACK.EVENTS.notifier.>',
      ...readsBucket('notifications'),
    ],
    subscribe: ['notifier.*.*'],
  }),
}

function own(user: BusUser, permission: Permission): Permission {
  return {
    publish: ['$JS.API.INFO', ...permission.publish],
    subscribe: [`${inboxPrefix(user)}.>`, ...permission.subscribe],
  }
}

function inspects(stream: StreamName | `KV_${BucketName}`): string[] {
  return [`$JS.API.STREAM.INFO.${stream}`]
}

function reads(stream: StreamName | `KV_${BucketName}`): string[] {
  return [
    ...inspects(stream),
    `$JS.API.CONSUMER.CREATE.${stream}`,
    `$JS.API.CONSUMER.CREATE.${stream}.>`,
    `$JS.API.CONSUMER.INFO.${stream}.>`,
    `$JS.API.STREAM.MSG.GET.${stream}`,
    `$JS.API.DIRECT.GET.${stream}.>`,
    `$JS.API.DIRECT.GET.${stream}`,
    `$JS.FC.${stream}.>`,
  ]
}

function readsBucket(bucket: BucketName): string[] {
  return reads(`KV_${bucket}`)
}

function writesBucket(bucket: BucketName): string[] {
  return [`$KV.${bucket}.>`]
}

/** Taking keys away so that not even a mark of them stays. */
function erases(bucket: BucketName): string[] {
  return [`$JS.API.STREAM.MSG.DELETE.KV_${bucket}`]
}
