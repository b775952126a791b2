import { AlertResult, StoredAlert } from '@tripline/proto/alert'
import * as authRequests from '@tripline/proto/auth-request'
import { StoredEvents } from '@tripline/proto/event'
import * as executorRequests from '@tripline/proto/executor-request'
import * as historyRequests from '@tripline/proto/history-request'
import * as intakeRequests from '@tripline/proto/intake-request'
import * as keyRequests from '@tripline/proto/key-request'
import { NotificationConfig } from '@tripline/proto/notification'
import * as notificationRequests from '@tripline/proto/notification-request'
import type { RequestContract } from '@tripline/proto/request'
import { SealedCredentials, StoredUserConfig } from '@tripline/proto/user-config'
import type { z } from 'zod'
import { Sides, StoredEntries } from '../../services/executor/src/store/entry-store.ts'
import { Lease } from '../../services/executor/src/store/lease-store.ts'
import { Beat } from '../../services/executor/src/store/member-store.ts'
import { Progress } from '../../services/executor/src/store/progress-store.ts'
import { StoredRecord } from '../../services/executor/src/store/record-store.ts'
import { Mark } from '../../services/executor/src/store/restored-mark.ts'
import { Holder } from '../../services/intake/src/store/ids.ts'

/** The answer to a request follows its subject under this word. */
export const answered = 'answered'

const requests = [
  {
    plan: executorRequests.planBlocks(0),
    drain: executorRequests.drainExecutor('0'),
    diagnose: executorRequests.diagnoseBots(0),
    readAccount: executorRequests.readAccount(0),
  },
  authRequests,
  executorRequests,
  historyRequests,
  intakeRequests,
  keyRequests,
  notificationRequests,
]
  .flatMap((group) => Object.values<unknown>(group))
  .filter(isContract)
  .flatMap(({ subject, asked, answered: value }): [string, z.ZodType][] => {
    const pattern = subject.replace('.0.', '.*.')
    return [
      [pattern, asked],
      [`${pattern} ${answered}`, value],
    ]
  })

/** The schema of each message that travels between processes, or is stored on the bus: by its subject, as a pattern. */
export const contracts: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ['alert.*.*', StoredAlert],
  ['event.*.*', StoredEvents],
  ['result.*', AlertResult],
  ['session.ended', authRequests.SessionEnded],
  ['answer.delivered', intakeRequests.AnswerDelivery],
  ['alerts.delayed', executorRequests.AlertsDelayed],
  ['$KV.leases.*', Lease],
  ['$KV.members.*', Beat],
  ['$KV.progress.restored', Mark],
  ['$KV.progress.*.entries.*', Sides],
  ['$KV.progress.*.entered.*', StoredEntries],
  ['$KV.progress.*.*', Progress],
  ['$KV.watches.*.*.*', StoredRecord],
  ['$KV.config.*', StoredUserConfig],
  ['$KV.credentials.*', SealedCredentials],
  ['$KV.ids.*.*', Holder],
  ['$KV.notifications.*', NotificationConfig],
  ...requests,
])

function isContract(value: unknown): value is RequestContract {
  return typeof value === 'object' && value !== null && 'subject' in value && 'asked' in value
}

/** The pattern of a subject; undefined of what is the bus's own. */
export function patternOf(subject: string): string | undefined {
  const words = subject.split('.')
  return [...contracts.keys()].find((pattern) => {
    const wanted = pattern.split('.')
    return (
      wanted.length === words.length && wanted.every((word, index) => word === '*' || word === words[index])
    )
  })
}
