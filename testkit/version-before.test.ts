import { describe, expect, test } from '@jest/globals'
import { answered, contracts } from './wire/contracts.ts'
import { kindsBefore, messagesBefore, readersBefore } from './wire/version-before.ts'

/** Requests that are refused as the version before sends them, until the process that sends them is replaced. */
const refused = new Set([
  // It asks no password, and somebody who has the mail alone must not verify what a stranger registered.
  'auth.email.verify',
])

/** Kinds that only a person at the console brings about. */
const unrecorded = new Set([
  '$KV.progress.restored',
  'executor.*.partition.drain',
  'history.execution.unfinished',
])

/** Kinds that it reads as former versions wrote them, and writes no more. */
const former = new Set(['$KV.progress.*.entries.*'])

const messages = messagesBefore()

describe('records of the version before are read by this one', () => {
  test('each of its messages', () => {
    const faults = messages
      .filter(({ of }) => !refused.has(of))
      .flatMap(({ of, value }) => {
        const read = contracts.get(of)?.safeParse(value)
        return read?.success
          ? []
          : [`${of}: ${read?.error ?? 'not known any more'}: ${JSON.stringify(value)}`]
      })
    expect(faults).toEqual([])
  })

  test('a message of each stream, bucket and subject is among them', () => {
    const seen = new Set(messages.map(({ of }) => of))
    const unseen = kindsBefore().filter(
      (of) => !seen.has(of) && !of.endsWith(answered) && !unrecorded.has(of) && !former.has(of),
    )
    expect(unseen).toEqual([])
  })
})

test('a message that the version before cannot read is found', () => {
  const judge = readersBefore()
  for (const message of messages) expect([message.of, judge(message)]).toEqual([message.of, undefined])
  expect(judge({ of: 'event.*.*', value: { kind: 'newer' } })).toContain('must match')
  expect(judge({ of: '$KV.leases.*', value: { owner: 'one' } })).toContain(
    "must have required property 'released'",
  )
})
