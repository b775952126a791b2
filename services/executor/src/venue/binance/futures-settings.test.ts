import { expect, test } from '@jest/globals'
import { createFuturesSettings } from './futures-settings.ts'
import type { RestClient } from './rest-client.ts'

const restClient: RestClient = {
  send: async () => ({}),
  request: async (question) => await question(),
  requestUrgently: async (question) => await question(),
  get: async () => ({}),
}
const symbol = 'BTCUSDT'

test('an answer to what was asked before settings were forgotten is forgotten too', async () => {
  const answer = Promise.withResolvers<unknown>()
  let isHedged = false
  const settings = createFuturesSettings(restClient, {
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
