import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { serve } from '@tripline/kit/bus/request'
import { planBlocks } from '@tripline/proto/executor-request'
import { BotId } from '@tripline/proto/id'
import { readAlertMessage } from '@tripline/proto/intake-request'
import { readMessage } from '@tripline/proto/language/read-message'
import type { BlockPlan } from '@tripline/proto/plan'
import { partitionOf } from '@tripline/proto/subject'
import { waitFor } from '@tripline/testkit/wait-for'
import { ada, type GatewayFixture, startFixture } from './gateway-fixture.ts'

const botId = BotId.parse('0193f5a0-0000-7000-8000-0000000000b1')
const planned: BlockPlan = {
  label: 'MyBot',
  symbol: 'BTCUSDT',
  exchange: 'paper_futures',
  market: null,
  outcome: 'planned',
  commands: [],
  error_code: null,
  error: null,
}

let gateway: GatewayFixture
let token: string
beforeAll(async () => {
  gateway = await startFixture()
  token = gateway.token(ada)
  const intake = await gateway.nats.connect('intake')
  serve(intake, readAlertMessage, async ({ message }) => {
    const { blocks, diagnostics } = readMessage(message, [{ label: 'MyBot', market: 'futures' }])
    const views = diagnostics.map(({ code, message, span }) => ({ code, message, ...span }))
    return { blocks: blocks.map((block) => ({ ...block, botId })), diagnostics: views }
  })
  await intake.connection.flush()
})
afterAll(async () => await gateway.stop())

const preview = async (message: string) =>
  await gateway.call('/api/commands/preview', { token, body: { message } })

describe('POST /api/commands/preview', () => {
  test('answers the tree without a plan where the executor cannot be asked', async () => {
    expect(
      await preview('MyBot(BTCUSDT) { oco { stop(sell, 100%, 58000); limit(sell, 1, +1%) } }'),
    ).toMatchObject({
      status: 200,
      body: {
        tree: [
          {
            label: 'MyBot',
            symbol: 'BTCUSDT',
            cmds: [
              {
                t: 'oneCancelsOther',
                legs: [
                  { t: 'stopOrder', side: 'sell', amount: 'pct:100', price: 'abs:58000' },
                  { t: 'limit', side: 'sell', amount: 'base:1' },
                ],
              },
            ],
          },
        ],
        diagnostics: [],
        plan: [{ label: 'MyBot', symbol: 'BTCUSDT', outcome: 'unknown', error: expect.any(String) }],
      },
    })
  })

  test('answers with the plan of the executor that owns the user', async () => {
    const stop = serve(
      gateway.peers.executor,
      planBlocks(partitionOf(ada.sub)),
      async ({ userId, blocks }) => {
        expect([userId, blocks.map((block) => block.botId)]).toEqual([ada.sub, [botId]])
        return { blocks: [planned] }
      },
    )
    await gateway.peers.executor.connection.flush()
    expect(await preview('MyBot(BTCUSDT) { balance }')).toMatchObject({ body: { plan: [planned] } })
    stop()
  })

  test('is done one at a time for a user; the next waits, and more are refused', async () => {
    const plans: (() => void)[] = []
    const stop = serve(gateway.peers.executor, planBlocks(partitionOf(ada.sub)), async () => {
      await new Promise<void>((resolve) => plans.push(resolve))
      return { blocks: [planned] }
    })
    await gateway.peers.executor.connection.flush()
    const first = preview('MyBot(BTCUSDT) { balance }')
    await waitFor(() => plans.length === 1)
    const others = Array.from({ length: 3 }, async () => await preview('MyBot(BTCUSDT) { balance }'))
    const refused = (await Promise.race(others)) as { status: number; headers: Headers }
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('2')
    plans[0]?.()
    expect((await first).status).toBe(200)
    await waitFor(() => plans.length === 2)
    plans[1]?.()
    expect((await Promise.all(others)).map(({ status }) => status).toSorted()).toEqual([200, 429, 429])
    expect(plans).toHaveLength(2)
    stop()
  })

  test('answers with the diagnostics of a faulty message, and neither tree nor plan', async () => {
    const { status, body } = await preview('MyBot(BTCUSDT) { markt(buy, 1) }')
    expect(status).toBe(200)
    expect(body).toMatchObject({ tree: [], diagnostics: [{ code: 'E202', offset: 17, length: 5 }], plan: [] })
  })

  test('takes the longest message, and no body without one', async () => {
    expect(await preview(`MyBot(BTCUSDT) { balance }${'"'.repeat(64_000)}`)).toMatchObject({ status: 200 })
    const without = await gateway.call('/api/commands/preview', { token, body: { text: 'x' } })
    expect(without).toMatchObject({ status: 422, body: { detail: [{ field: 'message' }] } })
  })

  test('needs a session', async () => {
    const answer = await gateway.call('/api/commands/preview', { body: { message: 'x' } })
    expect(answer.status).toBe(401)
  })
})
