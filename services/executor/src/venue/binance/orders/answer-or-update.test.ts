import { describe, expect, test } from '@jest/globals'
import { answerOrUpdate } from './answer-or-update.ts'

const never = new Promise<string>(() => undefined)
const later = async (word: string): Promise<string> => {
  await new Promise((resolve) => setImmediate(resolve))
  return word
}
const race = async (answered: Promise<string>, updated: Promise<string>, isLive = true) =>
  await answerOrUpdate({
    answered,
    updated,
    isLost: (outcome) => outcome === 'lost',
    isLive: () => isLive,
  })

describe('what came of a request is', () => {
  test('what its answer says, where that comes first', async () => {
    expect(await race(Promise.resolve('answered'), never)).toBe('answered')
  })

  test('what the stream reports, where no answer comes', async () => {
    expect(await race(never, later('told'))).toBe('told')
  })

  test('what the stream reports after the answer was lost', async () => {
    expect(await race(Promise.resolve('lost'), later('told'))).toBe('told')
  })

  test('open, where the answer was lost and the stream reports nothing', async () => {
    expect(await race(Promise.resolve('lost'), never)).toBe('lost')
  })

  test('open at once, where the answer was lost and there is no stream', async () => {
    expect(await race(Promise.resolve('lost'), never, false)).toBe('lost')
  })
})
