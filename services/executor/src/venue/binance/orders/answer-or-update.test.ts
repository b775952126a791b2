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

describe('the result of a request is', () => {
  test('its answer, where that comes first', async () => {
    expect(await race(Promise.resolve('answered'), never)).toBe('answered')
  })

  test('the report of the stream, where no answer comes', async () => {
    expect(await race(never, later('reported'))).toBe('reported')
  })

  test('the report of the stream after the answer was lost', async () => {
    expect(await race(Promise.resolve('lost'), later('reported'))).toBe('reported')
  })

  test('open, where the answer was lost and the stream reports nothing', async () => {
    expect(await race(Promise.resolve('lost'), never)).toBe('lost')
  })

  test('open at once, where the answer was lost and there is no stream', async () => {
    expect(await race(Promise.resolve('lost'), never, false)).toBe('lost')
  })
})
