import { expect, test } from '@jest/globals'
import type { Desk } from './desk.ts'
import { createFuturesSettings } from './futures-settings.ts'

const desk: Desk = {
  send: async () => ({}),
  ask: async (question) => await question(),
  press: async (question) => await question(),
  get: async () => ({}),
}
const symbol = 'BTCUSDT'

test('an answer to what was asked before settings were forgotten is forgotten too', async () => {
  const answer = Promise.withResolvers<unknown>()
  let isHedged = false
  const settings = createFuturesSettings(desk, {
    account: async () => {
      const dualSidePosition = isHedged
      await answer.promise
      return { dualSidePosition }
    },
    symbol: async () => [{ symbol, marginType: 'CROSSED', leverage: 20 }],
  })
  const asked = settings.refresh(symbol)
  isHedged = true
  settings.forget()
  answer.resolve({})
  expect(await asked).toMatchObject({ positionMode: 'oneWay' })
  expect(settings.known(symbol)).toBeUndefined()
  expect(await settings.of(symbol)).toMatchObject({ positionMode: 'hedge' })
  expect(settings.known(symbol)).toMatchObject({ positionMode: 'hedge' })
})
