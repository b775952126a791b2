import { expect, test } from '@jest/globals'
import { identityOf } from './identity.ts'

test.each([
  ['no stamps', {}, { kind: 'none' }],
  ['an id', { id: 'a' }, { kind: 'id', id: 'a' }],
  ['an id and a time', { id: 'a', sentAt: '2026-01-31T12:00:00Z' }, { kind: 'id', id: 'a' }],
  ['a time with a zone', { sentAt: '2026-01-31T12:00:00.5+01:00' }, { kind: 'sent' }],
  ['seconds since 1970', { sentAt: '1769860800' }, { kind: 'sent' }],
  ['milliseconds since 1970', { sentAt: '1769860800000' }, { kind: 'sent' }],
  ['words in the place of a time', { sentAt: 'by hand' }, { kind: 'none' }],
])('%s give the alert its identity', (_name, stamps, identity) => {
  expect(identityOf(stamps)).toEqual(identity)
})
