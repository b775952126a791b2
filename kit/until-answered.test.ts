import { expect, test } from '@jest/globals'
import { ErrorCode, NatsError } from 'nats'
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

test('a set-up that the bus does not answer is done again', async () => {
  const { calls, act } = failing(unanswered(ErrorCode.Timeout), unanswered(ErrorCode.NoResponders))
  await untilAnswered(act)
  expect(calls.count).toBe(3)
})

test('a set-up that stays without an answer, or is refused, fails', async () => {
  const times = [0, 60_000]
  const silent = failing(unanswered(ErrorCode.Timeout))
  await expect(untilAnswered(silent.act, () => times.shift() ?? 0)).rejects.toThrow('no answer')
  const refused = failing(new Error('no room'))
  await expect(untilAnswered(refused.act)).rejects.toThrow('no room')
  expect([silent.calls.count, refused.calls.count]).toEqual([1, 1])
})
