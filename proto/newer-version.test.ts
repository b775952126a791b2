import { describe, expect, test } from '@jest/globals'
import { z } from 'zod'
import { AlertResult, StoredAlert } from './alert.ts'
import * as authRequests from './auth-request.ts'
import { StoredEvent } from './event.ts'
import * as executorRequests from './executor-request.ts'
import * as historyRequests from './history-request.ts'
import * as intakeRequests from './intake-request.ts'
import * as keyRequests from './key-request.ts'
import { NotificationConfig } from './notification.ts'
import * as notificationRequests from './notification-request.ts'
import type { RequestContract } from './request.ts'
import { SealedCredentials, StoredUserConfig } from './user-config.ts'

/** Everything that travels between processes or is stored on the bus; the executor's own buckets are tried there. */
const contracts: [name: string, schema: z.ZodType][] = [
  ['ALERTS', StoredAlert],
  ['EVENTS', StoredEvent],
  ['result.*', AlertResult],
  ['session.ended', authRequests.SessionEnded],
  ['config', StoredUserConfig],
  ['credentials', SealedCredentials],
  ['notifications', NotificationConfig],
  ...[
    {
      plan: executorRequests.planBlocks(0),
      diagnose: executorRequests.listUselessCredentials(0),
      drain: executorRequests.drainExecutor('one'),
    },
    authRequests,
    executorRequests,
    historyRequests,
    intakeRequests,
    keyRequests,
    notificationRequests,
  ].flatMap((requests) =>
    Object.values<unknown>(requests)
      .filter(isContract)
      .flatMap(({ subject, asked, answered }): [string, z.ZodType][] => [
        [`${subject} (asked)`, asked],
        [`${subject} (answered)`, answered],
      ]),
  ),
]

function isContract(value: unknown): value is RequestContract {
  return typeof value === 'object' && value !== null && 'subject' in value && 'asked' in value
}

/** The objects within a schema that refuse a field which they do not know. */
function closedObjects(schema: z.core.$ZodType, seen = new Set<z.core.$ZodType>()): string[] {
  if (seen.has(schema)) return []
  seen.add(schema)
  const within = (others: readonly z.core.$ZodType[]): string[] =>
    others.flatMap((other) => closedObjects(other, seen))
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'object': {
      const isClosed = def.catchall !== undefined && def.catchall._zod.def.type === 'never'
      return [...(isClosed ? [Object.keys(def.shape).join()] : []), ...within(Object.values(def.shape))]
    }
    case 'array':
      return within([def.element])
    case 'union':
      return within(def.options)
    case 'intersection':
      return within([def.left, def.right])
    case 'tuple':
      return within(def.items)
    case 'record':
      return within([def.valueType])
    case 'pipe':
      return within([def.in, def.out])
    case 'lazy':
      return within([def.getter()])
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return within([def.innerType])
    default:
      return []
  }
}

describe('what a newer version writes is read by this one', () => {
  test.each(contracts)('%s takes fields that it does not know', (_name, schema) => {
    expect(closedObjects(schema)).toEqual([])
  })

  test('a closed object would be found, however deep it lies', () => {
    const deep = z.object({ a: z.array(z.union([z.string(), z.strictObject({ b: z.int() })])).optional() })
    expect(closedObjects(deep)).toEqual(['b'])
  })
})
