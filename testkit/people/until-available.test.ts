import { expect, test } from '@jest/globals'
import { untilAvailable } from './until-available.ts'

const answered = (status: number): Error => new Error(`answered ${status}`, { cause: { status } })

test('a call that is answered 503 is begun again', async () => {
  const answers = [answered(503), answered(503), 'done']
  const act = async (): Promise<unknown> => {
    const next = answers.shift()
    if (next instanceof Error) throw next
    return next
  }
  expect(await untilAvailable(act)).toBe('done')
})

test('another refusal is thrown at once', async () => {
  let calls = 0
  const act = async (): Promise<never> => {
    calls++
    throw answered(401)
  }
  await expect(untilAvailable(act)).rejects.toThrow('answered 401')
  expect(calls).toBe(1)
})
