import { expect, test } from '@jest/globals'
import { createFuturesSettings } from './futures-settings.ts'

const symbol = 'BTCUSDT'

test('an answer to a request of before settings were forgotten is forgotten too', async () => {
  const answer = Promise.withResolvers<unknown>()
  let isHedged = false
  const settings = createFuturesSettings({
    get: async (path) => {
      if (path === '/fapi/v1/symbolConfig') return [{ symbol, marginType: 'CROSSED', leverage: 20 }]
      const dualSidePosition = isHedged
      await answer.promise
      return { dualSidePosition }
    },
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
