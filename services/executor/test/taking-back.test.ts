import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { HttpService } from '@tripline/kit/lifecycle'
import type { CommandResult } from '@tripline/proto/command-result'
import { absolute, add, floorToStep, subtract } from '@tripline/proto/decimal'
import type { AlertId } from '@tripline/proto/id'
import { waitFor } from '@tripline/testkit/wait-for'
import { buildRig, type Rig } from './rig.ts'
import { provesSoon, withVenues } from './with-venues.ts'

const usual = { bid: '59999.9', ask: '60000.1', last: '60000' }
// Shorter than the 20 s that were reported, and longer than a sale takes.
const lagMs = 4000
const pair = 'oco { limit(sell, 100%, 62000); stop(sell, 100%, 58000) }'

describe.each([
  { exchange: 'paper', createPath: '/api/v3/order', code: -1013, shortCode: -2010, step: '0.00001' },
  { exchange: 'binance', createPath: '/api/v3/order', code: -1013, shortCode: -2010, step: '0.00001' },
  { exchange: 'bybit', createPath: '/v5/order/create', code: 170124, shortCode: 170131, step: '0.000001' },
] as const)('a sale on $exchange spot', ({ exchange, createPath, code, shortCode, step }) => {
  const bot = { exchange, marketType: 'spot' } as const
  let rig: Rig
  let executor: HttpService
  let sendOther: (message: string) => Promise<AlertId>
  beforeAll(async () => {
    rig = await buildRig({ bot, balances: { USDT: '1000000', BTC: '0' } })
    executor = await rig.startExecutor()
    const other = await rig.linkToo({ ...bot, label: 'Other' }, rig.credentials)
    sendOther = other.send
  })
  afterAll(async () => await rig.stop())
  beforeEach(async () => {
    await rig.paper.clearFaults()
    await rig.paper.pinPrices('BTCUSDT', usual)
    await run('cancel; market(position=0); market(buy, 0.03)')
  })

  async function run(commands: string): Promise<{ alertId: AlertId; results: CommandResult[] }> {
    return await ended(await rig.send(`MyBot(BTCUSDT) { ${commands} }`))
  }

  async function ended(alertId: AlertId): Promise<{ alertId: AlertId; results: CommandResult[] }> {
    const result = await rig.resultOf(alertId)
    if (result.outcome !== 'executed') throw new Error(JSON.stringify(result))
    return { alertId, results: result.executions[0]?.commands ?? [] }
  }

  /** Returns the sellable coins, without the crumbs that fees leave. */
  async function coins(): Promise<string> {
    return add(floorToStep((await rig.account()).balances['BTC'] ?? '0', step), '0')
  }

  async function open(): Promise<string[]> {
    const { openOrders } = await rig.account()
    return openOrders
      .map(({ side, quantity, triggerPrice, price }) =>
        `${side} ${absolute(quantity)} ${absolute(triggerPrice ?? price)}`.toLowerCase(),
      )
      .toSorted()
  }

  async function expectOpen(...orders: string[]): Promise<void> {
    await waitFor(async () => JSON.stringify(await open()) === JSON.stringify(orders))
  }

  /** Returns the orders of a pair at the exchange. */
  const standing = (quantity: string): string[] =>
    bot.exchange === 'bybit'
      ? [`sell ${quantity} 58000`]
      : [`sell ${quantity} 58000`, `sell ${quantity} 62000`]

  /** The orders beside the stop, where the exchange has both of a pair. */
  const onlyPair = exchange === 'bybit' ? [] : [{ type: 'limit' }]

  const placing = { path: createPath, method: 'POST' }

  /** Sends a sale that is on its way to the exchange for 1.5 s, once what it takes back is away. */
  async function sellHalfSlowly(): Promise<AlertId> {
    await rig.paper.addFault({ match: placing, action: 'delay', ms: 1500, count: 1 })
    const alertId = await rig.send('MyBot(BTCUSDT) { market(sell, 50%) }')
    await rig.eventsOf(alertId, 'order.sent')
    return alertId
  }

  const refuseSales = async (count: number): Promise<void> =>
    await rig.paper.addFault({ match: placing, action: 'reject', code, count })

  test.each(['market(sell, 100%)', 'market(position=0)', 'market(sell, 100%p)'])(
    'takes back a pair that is over the coins: %s',
    async (sale) => {
      const held = await coins()
      const begun = await run(pair)
      await expectOpen(...standing(held))
      const { results } = await run(sale)
      const stop = { type: 'stop', amount: held, price: '58000', filled: '0', stands_again: null }
      expect(results).toMatchObject([
        {
          status: 'success',
          result: { filled: held, taken_back: expect.arrayContaining([expect.objectContaining(stop)]) },
        },
      ])
      expect([await coins(), await open()]).toEqual(['0', []])
      await waitFor(async () => (await rig.watched()).length === 0)
      const events = await rig.eventsOf(begun.alertId, 'group.changed')
      expect(events.filter(({ kind }) => kind === 'command.alarm')).toEqual([])
    },
  )

  test.each(['market(sell, 100%)', 'market(position=0)'])(
    'takes back a pair, and sells its coins, where readings show that late: %s',
    async (sale) => {
      const held = await coins()
      // Readings show the pair by then, and show it for as long after its end.
      await run(`${pair}; wait(${lagMs / 1000})`)
      await rig.paper.addFault({ match: { method: 'GET' }, action: 'read-lag', ms: lagMs })
      const { results } = await run(sale)
      expect(results).toMatchObject([
        { status: 'success', result: { filled: held, taken_back: [{ type: 'stop' }, ...onlyPair] } },
      ])
      expect([await coins(), await open()]).toEqual(['0', []])
    },
    30_000,
  )

  test('lets half of a pair stand again, where readings show the sale late', async () => {
    await run(`${pair}; wait(${lagMs / 1000})`)
    await rig.paper.addFault({ match: { method: 'GET' }, action: 'read-lag', ms: lagMs })
    const { results } = await run('market(sell, 50%)')
    expect(results).toMatchObject([{ status: 'success', result: { taken_back: expect.anything() } }])
    await expectOpen(...standing(await coins()))
  }, 30_000)

  test('takes back an order that takes a profit, for an amount that is written out', async () => {
    const held = await coins()
    await run('limit(sell, 100%, 62000)')
    const { results } = await run(`market(sell, ${held})`)
    expect(results).toMatchObject([
      { status: 'success', result: { filled: held, taken_back: [{ type: 'limit', price: '62000' }] } },
    ])
    expect([await coins(), await open()]).toEqual(['0', []])
  })

  test('lets the rest of a pair stand again', async () => {
    const held = await coins()
    const { alertId } = await run(pair)
    const { results } = await run('market(sell, 0.01)')
    const left = subtract(held, '0.01')
    expect(results).toMatchObject([
      { result: { filled: '0.01', taken_back: [{ stands_again: left }, ...onlyPair] } },
    ])
    await expectOpen(...standing(left))
    const again = new RegExp(`^stop sell ${left}.* again$`)
    await waitFor(async () => {
      const events = await rig.eventsOf(alertId, 'group.changed')
      return events.some((event) => event.kind === 'group.changed' && again.test(event.text))
    })
    const half = await run('market(sell, 50%)')
    expect(half.results).toMatchObject([{ status: 'success', result: { taken_back: expect.anything() } }])
    await expectOpen(...standing(await coins()))
  })

  test.each(['stop(sell, 100%, 58000)', pair])(
    'sells the rest at once where the price passed the stop while it was away: %s',
    async (exits) => {
      await run(exits)
      const alertId = await sellHalfSlowly()
      await rig.paper.pinPrices('BTCUSDT', { bid: '56999.9', ask: '57000.1', last: '57000' })
      const { results } = await ended(alertId)
      const warning = { code: 'W709', text: expect.stringMatching(/stop sell .* at 58000.*sold at once/) }
      expect(results).toMatchObject([
        {
          status: 'success',
          result: {
            taken_back: [{ stands_again: null }, ...(exits === pair ? onlyPair : [])],
            warnings: [warning],
          },
        },
      ])
      await waitFor(async () => (await coins()) === '0')
      await waitFor(async () => (await rig.watched()).length === 0)
      expect(await open()).toEqual([])
    },
  )

  test('sells the rest at once where the price reached the profit of a pair while that was away', async () => {
    await run(pair)
    const alertId = await sellHalfSlowly()
    await rig.paper.pinPrices('BTCUSDT', { bid: '62999.9', ask: '63000.1', last: '63000' })
    const { results } = await ended(alertId)
    // Bybit has one of a pair at a time: its stop stands again, and gives way to the profit.
    const text = expect.stringMatching(/limit sell .* at 62000.*sold at once/)
    const warnings = exchange === 'bybit' ? {} : { warnings: [{ code: 'W709', text }] }
    expect(results).toMatchObject([{ status: 'success', result: warnings }])
    await waitFor(async () => (await coins()) === '0')
    await waitFor(async () => (await rig.watched()).length === 0)
    expect(await open()).toEqual([])
  })

  // A slow proof of absence makes the same take longer.
  if (exchange === 'paper')
    test('says that the rest is not seen to be sold while the exchange does not confirm it', async () => {
      await run('stop(sell, 100%, 58000)')
      const alertId = await sellHalfSlowly()
      await rig.paper.addFault({ match: placing, action: 'status', status: 503, count: 1 })
      await rig.paper.pinPrices('BTCUSDT', { bid: '56999.9', ask: '57000.1', last: '57000' })
      const { results } = await ended(alertId)
      const warning = { code: 'W709', text: expect.stringMatching(/has not confirmed that yet/) }
      expect(results).toMatchObject([{ status: 'success', result: { warnings: [warning] } }])
      await waitFor(async () => (await coins()) === '0')
      await waitFor(async () => (await rig.watched()).length === 0)
    })

  test.each([
    { is: 'places it', prices: usual },
    { is: 'sells it', prices: { bid: '56999.9', ask: '57000.1', last: '57000' } },
  ])(
    'says that nothing stands again where its bot is halted meanwhile, and $is once it trades',
    async ({ prices }) => {
      await run('stop(sell, 100%, 58000)')
      const alertId = await sellHalfSlowly()
      await rig.configure({ tradingState: 'halted' })
      const { results } = await ended(alertId)
      const warning = { code: 'W709', text: expect.stringMatching(/is not seen to stand again yet/) }
      expect(results).toMatchObject([
        { status: 'success', result: { taken_back: [{ stands_again: null }], warnings: [warning] } },
      ])
      expect(await open()).toEqual([])
      await rig.paper.pinPrices('BTCUSDT', prices)
      const held = await coins()
      await rig.configure({ tradingState: 'active' })
      if (prices === usual) await expectOpen(`sell ${held} 58000`)
      else await waitFor(async () => (await coins()) === '0')
    },
  )

  test('is sized anew where fees of other orders took coins after it had looked', async () => {
    await run(pair)
    const message = 'Account has insufficient balance for requested action.'
    await rig.paper.addFault({ match: placing, action: 'reject', code: shortCode, message, count: 1 })
    const { results } = await run('market(sell, 100%)')
    expect(results).toMatchObject([{ status: 'success', result: { taken_back: expect.anything() } }])
    expect([await coins(), await open()]).toEqual(['0', []])
  })

  test('places again the orders it took back where the exchange refuses it', async () => {
    const held = await coins()
    await run(pair)
    await refuseSales(1)
    const { results } = await run('market(sell, 100%)')
    expect(results).toMatchObject([
      { status: 'failed', error: expect.stringMatching(/taken back for it: .*which stands again for/) },
    ])
    await expectOpen(...standing(held))
    // It goes on as it did: one of them ends the other.
    await rig.paper.pinPrices('BTCUSDT', { bid: '62000.2', ask: '62000.3', last: '62000.2' })
    await waitFor(async () => (await coins()) === '0' && (await open()).length === 0)
  })

  test('leaves and names the orders of another bot of the account', async () => {
    const held = await coins()
    const { results: others } = await ended(await sendOther('Other(BTCUSDT) { limit(sell, 0.02, 63000) }'))
    expect(others).toMatchObject([{ status: 'success' }])
    await run('limit(sell, 100%, 62000)')
    const { results } = await run('market(sell, 100%)')
    expect(results).toMatchObject([
      {
        status: 'success',
        result: {
          filled: subtract(held, '0.02'),
          taken_back: [{ price: '62000' }],
          warnings: [
            {
              code: 'W705',
              text: expect.stringMatching(
                /limit sell 0\.02\d* at 63000.*is not an order of this bot.*cancel/,
              ),
            },
          ],
        },
      },
    ])
    for (const sale of ['market(sell, 100%)', 'market(position=0)']) {
      const error = expect.stringMatching(/limit sell 0\.02\d* at 63000/)
      expect((await run(sale)).results).toMatchObject([{ status: 'failed', errorCode: 'E506', error }])
    }
    await expectOpen('sell 0.02 63000')
  })

  test('names the orders that lock the rest where the free coins are less than the least order', async () => {
    const most = subtract(await coins(), '0.00003')
    await ended(await sendOther(`Other(BTCUSDT) { limit(sell, ${most}, 63000) }`))
    const error = expect.stringMatching(/limit sell 0\.0299\d* at 63000.*is not an order of this bot/)
    for (const sale of ['market(sell, 100%)', 'market(position=0)'])
      expect((await run(sale)).results).toMatchObject([{ status: 'failed', errorCode: 'E504', error }])
  })

  test('sells the free coins beside the order of another bot, though its own stop was over the rest', async () => {
    const held = await coins()
    await ended(await sendOther('Other(BTCUSDT) { limit(sell, 0.02, 63000) }'))
    await run('stop(sell, 100%, 58000)')
    const { results } = await run('market(position=0)')
    expect(results).toMatchObject([
      {
        status: 'success',
        result: {
          filled: subtract(held, '0.02'),
          taken_back: [{ price: '58000', stands_again: null }],
          warnings: [{ code: 'W705', text: expect.stringMatching(/limit sell 0\.02\d* at 63000/) }],
        },
      },
    ])
    await expectOpen('sell 0.02 63000')
  })

  test('leaves locked coins where it asks for the available ones', async () => {
    await run('limit(sell, 100%, 62000)')
    const before = await open()
    expect((await run('market(sell, 100%a)')).results).toMatchObject([
      { status: 'failed', errorCode: 'E501' },
    ])
    expect(await open()).toEqual(before)
  })

  test('leaves alone the coins of a stop: the stop sells all of them at its price', async () => {
    const held = await coins()
    await run('stop(sell, 100%, 58000)')
    for (const behind of ['limit(sell, 100%, 62000)', 'stop(sell, 100%, 57000)', 'market(sell, 100%a)'])
      expect((await run(behind)).results).toMatchObject([{ status: 'failed', errorCode: 'E501' }])
    expect(await open()).toEqual([`sell ${held} 58000`])
    await rig.paper.pinPrices('BTCUSDT', { bid: '57999', ask: '57999.1', last: '57999' })
    await waitFor(async () => (await coins()) === '0')
    expect(await open()).toEqual([])
  })

  test('is not bought for, where two orders behind it would sell the same coins', async () => {
    await run('cancel; market(sell, 100%)')
    for (const entry of ['market(buy, 10%)', 'market(buy, 600$)']) {
      const alertId = await rig.send(
        `MyBot(BTCUSDT) { ${entry}; limit(sell, 100%, 62000); stop(sell, 100%, 58000) }`,
      )
      expect(JSON.stringify(await rig.resultOf(alertId))).toContain('E501')
      expect([await coins(), await open()]).toEqual(['0', []])
    }
  })

  test('is done by a successor that finds the orders taken back, and nothing sent', async () => {
    const held = await coins()
    await run(pair)
    await executor.stop()
    let isHeldUp = true
    executor = await rig.startExecutor(
      withVenues(({ read }) => ({
        read: async (symbol, need) => {
          // As the account is read once the coins should be free.
          if (isHeldUp && need?.scope === undefined) await new Promise(() => undefined)
          return await read(symbol, need)
        },
      })),
    )
    const alertId = await rig.send('MyBot(BTCUSDT) { market(sell, 100%) }')
    await waitFor(async () => (await open()).length === 0)
    await executor.stop()
    isHeldUp = false
    executor = await rig.startExecutor()
    const { results } = await ended(alertId)
    expect(results).toMatchObject([
      { status: 'success', result: { filled: held, taken_back: [{ type: 'stop' }, ...onlyPair] } },
    ])
    expect([await coins(), await open()]).toEqual(['0', []])
    await waitFor(async () => (await rig.watched()).length === 0)
  }, 120_000)

  test('is done, or its orders stand again, where a successor cannot know whether it was sent', async () => {
    const held = await coins()
    await run(pair)
    await rig.paper.addFault({ match: placing, action: 'drop' })
    const alertId = await rig.send('MyBot(BTCUSDT) { market(sell, 100%) }')
    await waitFor(async () => (await rig.watched()).some(({ takenBack }) => takenBack?.phase === 'selling'))
    await executor.stop()
    await rig.paper.clearFaults()
    executor = await rig.startExecutor(provesSoon)
    const { results } = await ended(alertId)
    if (exchange === 'binance') {
      expect(results).toMatchObject([
        { status: 'failed', errorCode: 'E602', error: expect.stringMatching(/stands again/) },
      ])
      await expectOpen(...standing(held))
    } else {
      expect(results).toMatchObject([{ status: 'success', result: { filled: held } }])
      expect([await coins(), await open()]).toEqual(['0', []])
    }
  }, 120_000)
})
