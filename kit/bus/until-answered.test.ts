import { expect, test } from '@jest/globals'
import { ErrorCode, NatsError } from 'nats'
import { StreamRefusal } from './acknowledged-publish.ts'
import { NoAnswerError, NobodyThereError } from './bus-request.ts'
import { untilAnswered } from './until-answered.ts'

/** Fails with these errors, one after the other, and then no more. */
function failing(...errors: Error[]) {
  const calls = { count: 0 }
  const act = async (): Promise<void> => {
    const error = errors[calls.count++]
    if (error !== undefined) throw error
  }
  return { calls, act }
}

const unanswered = (code: ErrorCode): NatsError => new NatsError('no answer', code)

test('a call that the bus does not answer is repeated', async () => {
  const errors = [
    unanswered(ErrorCode.Timeout),
    unanswered(ErrorCode.NoResponders),
    new NobodyThereError('$KV.config.a'),
    new NoAnswerError(2000),
    new StreamRefusal('JetStream system temporarily unavailable', 10_008),
  ]
  const { calls, act } = failing(...errors)
  await untilAnswered(act)
  expect(calls.count).toBe(errors.length + 1)
})

test('a set-up that stays without an answer, or is refused, fails', async () => {
  const times = [0, 60_000]
  const silent = failing(unanswered(ErrorCode.Timeout))
  await expect(untilAnswered(silent.act, { now: () => times.shift() ?? 0 })).rejects.toThrow('no answer')
  const refused = failing(new StreamRefusal('no room', 10_047))
  await expect(untilAnswered(refused.act)).rejects.toThrow('no room')
  expect([silent.calls.count, refused.calls.count]).toEqual([1, 1])
})
