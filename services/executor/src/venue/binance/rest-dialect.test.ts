import { expect, jest, test } from '@jest/globals'
import { testLog } from '@tripline/testkit/log'
import { receiveWindowMs } from '../../domain/order/doubt.ts'
import { createRestClient } from '../http/rest-client.ts'
import type { VenueOptions } from '../venue.ts'
import { futuresCodes } from './codes.ts'
import { createAddressUsage, createLimits } from './limits.ts'
import type { SocketSender } from './order-socket.ts'
import { restDialect } from './rest-dialect.ts'

const order = { orderId: 7, avgPrice: '58000' }
const endpoint = {
  now: () => 1_000,
  measureClock: async () => undefined,
  leaptAt: () => Number.NEGATIVE_INFINITY,
  refuseWhileBanned: () => undefined,
}

function restClient(viaSocket: SocketSender) {
  const asked: string[] = []
  const dispatcher = {
    dispatch: (
      { method, path }: { method: string; path: string },
      handler: Record<string, (...update: unknown[]) => void>,
    ) => {
      asked.push(`${method} ${path.replace(/&signature=.*/, '')}`)
      handler['onRequestStart']?.()
      handler['onResponseStart']?.(undefined, 200, {})
      handler['onResponseData']?.(undefined, Buffer.from(JSON.stringify(order)))
      handler['onResponseEnd']?.()
      return true
    },
  }
  const options = {
    baseUrl: 'http://venue',
    credentials: { apiKey: 'key', secret: 'secret' },
    connections: { dispatcher },
    tenure: () => undefined,
    log: testLog('restClient'),
  } as unknown as VenueOptions
  const limits = createLimits(createAddressUsage(), endpoint.now)
  const dialect = restDialect(options.credentials, futuresCodes, limits, viaSocket)
  return { asked, ...createRestClient(options, endpoint, dialect) }
}

const overHttp = `GET /fapi/v1/order?timestamp=1000&symbol=BTCUSDT&orderId=7&recvWindow=${receiveWindowMs}`

test('a path is asked for with its fields signed, and over no socket for orders', async () => {
  const viaSocket = jest.fn<SocketSender>()
  const { get, asked } = restClient(viaSocket)
  expect(await get('/fapi/v1/order', { symbol: 'BTCUSDT', orderId: '7' })).toEqual(order)
  expect([viaSocket.mock.calls.length, asked]).toEqual([0, [overHttp]])
})
