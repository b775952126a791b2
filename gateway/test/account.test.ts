import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { serve } from '@tripline/kit/bus/request'
import { RefusedError } from '@tripline/kit/refused-error'
import { readAccount } from '@tripline/proto/executor-request'
import { BotId } from '@tripline/proto/id'
import type { Bot } from '@tripline/proto/key-request'
import { partitionOf } from '@tripline/proto/subject'
import { ada, bob, type GatewayFixture, startFixture } from './gateway-fixture.ts'

const bot = (last: string, label: string): Bot => ({
  id: BotId.parse(`0193f5a0-0000-7000-8000-0000000000${last}`),
  label,
  exchange: 'paper',
  marketType: 'futures',
  apiKeyPreview: 'pape…ount',
  isTestnet: false,
  notifyOnTrade: true,
  notifyOnError: true,
  notifyOnFill: false,
  createdAt: '2026-11-21T12:00:00.000Z',
  lastTest: null,
})
const [first, second, ofBob] = [bot('b1', 'First'), bot('b2', 'Second'), bot('b3', 'Bob')]
const statement = {
  equity: '100.5',
  available: '90',
  balances: [{ coin: 'USDT', total: '100.5', free: '90' }],
  positions: [],
  orders: [],
  orders_left_out: 0,
}
const readAt = '2026-11-21T12:00:00.000Z'

let gateway: GatewayFixture
let token: string
beforeAll(async () => {
  gateway = await startFixture()
  token = gateway.token(ada)
  gateway.peers.bots.set(ada.sub, [first, second])
  gateway.peers.bots.set(bob.sub, [ofBob])
})
afterAll(async () => await gateway.stop())

const accounts = async (query = '') => await gateway.call(`/api/accounts${query}`, { token })

describe('GET /api/accounts', () => {
  test('says of each account that it cannot be asked while no executor answers', async () => {
    const unread = { read_at: null, statement: null, error: expect.stringContaining('try again') }
    expect(await accounts()).toMatchObject({
      status: 200,
      body: {
        accounts: [
          { label: 'First', exchange: 'paper_futures', ...unread },
          { label: 'Second', ...unread },
        ],
      },
    })
  })

  describe('with an executor', () => {
    let stop: () => void
    beforeAll(async () => {
      stop = serve(gateway.peers.executor, readAccount(partitionOf(ada.sub)), async ({ userId, botId }) => {
        expect(userId).toBe(ada.sub)
        if (botId === second.id) throw new RefusedError('rate_limited', 'Many accounts are being read now')
        return { read_at: readAt, statement, error_code: null, error: null }
      })
      await gateway.peers.executor.connection.flush()
    })
    afterAll(() => stop())

    const ofFirst = {
      api_key_id: first.id,
      label: 'First',
      exchange: 'paper_futures',
      is_testnet: false,
      read_at: readAt,
      statement,
      error_code: null,
      error: null,
    }

    test('returns each account, and the reason where one cannot be read', async () => {
      expect((await accounts()).body).toEqual({
        accounts: [
          ofFirst,
          expect.objectContaining({
            label: 'Second',
            statement: null,
            error: 'Many accounts are being read now',
          }),
        ],
      })
    })

    test('returns one account alone, and nothing of that of another user', async () => {
      expect((await accounts(`?api_key_id=${first.id}`)).body).toEqual({ accounts: [ofFirst] })
      expect((await accounts(`?api_key_id=${ofBob.id}`)).body).toEqual({ accounts: [] })
    })
  })

  test('refuses a query that is no id, and a caller without a session', async () => {
    expect(await accounts('?api_key_id=nonsense')).toMatchObject({
      status: 422,
      body: { detail: [{ field: 'api_key_id' }] },
    })
    expect(await gateway.call('/api/accounts')).toMatchObject({ status: 401 })
  })
})
