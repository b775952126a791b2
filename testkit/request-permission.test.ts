import { expect, test } from '@jest/globals'
import { type BusUser, busUsers, permissions } from '@tripline/proto/permission'
import { answered, contracts } from './wire/contracts.ts'
import { mayUse } from './wire/may-use.ts'

const services = busUsers.filter((user) => user !== 'ops')

/** Requests that only a person at the console sends. */
const ofOperators = new Set(['executor.*.partition.drain'])

const requests = [...contracts.keys()]
  .filter((subject) => subject.endsWith(` ${answered}`))
  .map((subject) => subject.slice(0, -` ${answered}`.length))

function allowed(to: 'publish' | 'subscribe', subject: string): BusUser[] {
  return services.filter((user) => mayUse(permissions[user][to], subject))
}

test.each(requests)('proto/permission.ts lets a service serve %s, and another one send it', (subject) => {
  const [service] = subject.split('.')
  expect(allowed('subscribe', subject)).toEqual([service])
  expect(allowed('publish', subject).length > 0).toBe(!ofOperators.has(subject))
})
