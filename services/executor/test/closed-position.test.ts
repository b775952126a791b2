import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { CommandResult } from '@tripline/proto/command-result'
import { isZero, subtract } from '@tripline/proto/decimal'
import type { AlertId } from '@tripline/proto/id'
import { waitFor } from '@tripline/testkit/wait-for'
import { closeByHand } from './close-by-hand.ts'
import { cuttableRigOfTest } from './cuttable-rig.ts'
import { buildRig, type Rig } from './rig.ts'
import { withVenues } from './with-venues.ts'

interface Ran {
  alertId: AlertId
  results: CommandResult[]
}

/** Helpers for a test of one market. */
function hands(rig: () => Rig) {
  const run = async (commands: string): Promise<Ran> => {
    const alertId = await rig().send(`MyBot(BTCUSDT) { ${commands} }`)
    const result = await rig().resultOf(alertId)
    if (result.outcome !== 'executed') throw new Error(JSON.stringify(result))
    const results = result.executions[0]?.commands ?? []
    expect(results.map(({ status, error }) => error ?? status)).toEqual(results.map(() => 'success'))
    return { alertId, results }
  }
  const open = async (): Promise<string[]> =>
    (await rig().account()).openOrders.map(({ clientOrderId }) => clientOrderId).toSorted()
  return {
    run,
    open,
    holds: async (): Promise<boolean> =>
      (await rig().account()).positions.some(({ quantity }) => !isZero(quantity)),
    pin: async (bid: string): Promise<void> => {
      const ask = subtract(bid, '-0.1')
      await rig().paper.pinPrices('BTCUSDT', { bid, ask, last: bid, mark: bid })
    },
    rest: async (...ids: string[]): Promise<void> =>
      void (await waitFor(async () => JSON.stringify(await open()) === JSON.stringify(ids))),
    /** Settles once an event of the orders has this text. */
    untilText: async (alertId: AlertId, text: string): Promise<void> =>
      void (await waitFor(async () =>
        (
          await rig().eventsOf(alertId, 'execution.finished')
        ).some((event) => event.kind === 'group.changed' && event.text === text),
      )),
  }
}

const groupEnded = 'the position is closed, so the orders are canceled'
const orderEnded = 'the position is closed, so the order is canceled'

describe.each([
  { exchange: 'paper', marketType: 'futures', side: '' },
  { exchange: 'binance', marketType: 'futures_usdt', side: '' },
  { exchange: 'binance', marketType: 'futures_usdt', side: ', positionSide=long' },
  { exchange: 'bybit', marketType: 'futures', side: '' },
  { exchange: 'bybit', marketType: 'futures', side: ', positionSide=long' },
] as const)('a closed position at $exchange$side ends its exits', ({ exchange, marketType, side }) => {
  let rig: Rig
  const { run, open, holds, pin, rest, untilText } = hands(() => rig)
  beforeAll(async () => {
    rig = await buildRig({ bot: { exchange, marketType }, balances: { USDT: '100000' } })
    await rig.startExecutor()
    await pin('60000')
    if (side !== '') await run('exchangeSettings(positionMode=hedge)')
  })
  afterAll(async () => await rig.stop())
  afterEach(async () => {
    await rig.paper.clearFaults()
    await pin('60000')
    await run(`cancel; ${close}`)
  })

  const enter = `market(buy, 0.02${side})`
  const pair = `oco { stop(sell, 100%p, 58000${side}); limit(sell, 100%p, 62000${side}) }`
  const close = `market(position=0${side})`

  test('before the next one is opened: Long, Close, Long', async () => {
    const first = await run(`${enter}; ${pair}`)
    const closing = await run(close)
    expect(await open()).toEqual([])
    expect(closing.results[0]?.result).toMatchObject({
      ended: [
        {
          execution_id: `${first.alertId}-0`,
          command: 1,
          client_order_ids: [`t${first.alertId}00100`, `t${first.alertId}00110`],
        },
      ],
    })
    const second = await run(`${enter}; ${pair}`)
    await untilText(first.alertId, groupEnded)
    await rest(`t${second.alertId}00100`, `t${second.alertId}00110`)
  })

  test('in one block, and leaves the new pair alone', async () => {
    await run(`${enter}; ${pair}; ${close}; ${enter}; ${pair}`)
    const { alertId } = await run('balance; wait(1)')
    expect(alertId).toBeDefined()
    expect((await open()).map((id) => id.slice(-5))).toEqual(['00400', '00410'])
  })

  test('also an order that rests by itself, and not one that may open something', async () => {
    const exit = await run(`${enter}; limit(sell, 50%p, 62000${side})`)
    const entry = await run(`limit(buy, 0.01, 57000${side})`)
    await run(close)
    expect(await open()).toEqual([`t${entry.alertId}00000`])
    await untilText(exit.alertId, orderEnded)
  })

  if (side !== '')
    test('beside a short, whose own exits stay', async () => {
      const short = ', positionSide=short'
      const other = await run(`market(sell, 0.01${short}); stop(buy, 100%p, 62000${short})`)
      const { alertId } = await run(`${enter}; ${pair}`)
      const closing = await run(close)
      expect(closing.results[0]?.result).toMatchObject({
        ended: [{ execution_id: `${alertId}-0`, client_order_ids: expect.anything() }],
      })
      expect(await open()).toEqual([`t${other.alertId}00100`])
      await run(`market(position=0${short})`)
    })

  test('not where a part of it stays', async () => {
    const { alertId } = await run(`${enter}; ${pair}; market(sell, 50%p${side})`)
    await run('wait(1)')
    expect(await open()).toEqual([`t${alertId}00100`, `t${alertId}00110`])
  })

  test('where the stop of another pair closes it', async () => {
    const other = await run(
      `${enter}; oco { stop(sell, 100%p, 57000${side}); limit(sell, 100%p, 63000${side}) }`,
    )
    await run(pair)
    await pin('57990')
    await rest()
    await untilText(other.alertId, groupEnded)
    expect(await holds()).toBe(false)
  })

  if (side !== '') return
  test('where somebody closes it by hand', async () => {
    const { alertId } = await run(`${enter}; stop(sell, 100%p, 58000); limit(sell, 100%p, 62000)`)
    await closeByHand(rig, exchange)
    await rest()
    await untilText(alertId, orderEnded)
  })

  test('where an exit finds it closed already', async () => {
    await run(`${enter}; ${pair}`)
    // Reports of the hand's order come later than the exit.
    await closeByHand(rig, exchange)
    const closing = await run(close)
    expect(await open()).toEqual([])
    expect(closing.results[0]?.result).toMatchObject({ code: 'N802' })
  })
})

describe('a close whose answer comes late', () => {
  let rig: Rig
  const { run, open, pin } = hands(() => rig)
  beforeAll(async () => {
    const bot = { exchange: 'bybit', marketType: 'futures' } as const
    rig = await buildRig({ bot, balances: { USDT: '100000' } })
    await rig.startExecutor(
      withVenues((venue) => ({
        place: async (order, onSent, permit) => {
          const placement = await venue.place(order, onSent, permit)
          if (order.type === 'market' && order.side === 'sell')
            await waitFor(async () => (await rig.watched()).length === 0)
          return placement
        },
      })),
    )
    await pin('60000')
  })
  afterAll(async () => await rig.stop())

  test('names the orders that its stream has ended by then', async () => {
    const first = await run('market(buy, 0.02); oco { stop(sell, 100%p, 58000); limit(sell, 100%p, 62000) }')
    const closing = await run('market(position=0)')
    const ids = [`t${first.alertId}00100`, `t${first.alertId}00110`]
    expect(closing.results[0]?.result).toMatchObject({
      ended: [{ execution_id: `${first.alertId}-0`, command: 1, client_order_ids: ids }],
    })
    expect(await open()).toEqual([])
  })
})

describe('coins that are sold at Bybit spot end their exits', () => {
  let rig: Rig
  const { run, open, pin, rest, untilText } = hands(() => rig)
  beforeAll(async () => {
    const bot = { exchange: 'bybit', marketType: 'spot' } as const
    rig = await buildRig({ bot, balances: { USDT: '100000' } })
    await rig.startExecutor()
    await pin('60000')
  })
  afterAll(async () => await rig.stop())
  afterEach(async () => {
    await pin('60000')
    await run('cancel; market(position=0)')
  })

  const long = 'market(buy, 0.02); oco { stop(sell, 100%p, 58000); limit(sell, 100%p, 62000) }'

  test('before others are bought: Long, Close, Long', async () => {
    const first = await run(long)
    const closing = await run('market(position=0)')
    // It would sell what the close does, and is taken back before that.
    expect(closing.results[0]?.result).toMatchObject({
      taken_back: [{ client_order_id: `t${first.alertId}00100`, stands_again: null }],
    })
    expect(await open()).toEqual([])
    const second = await run(long)
    await untilText(first.alertId, 'taken back for a sale')
    await rest(`t${second.alertId}00100`)
  })

  test('not where enough is left for an order: the stop stands again for that', async () => {
    const { alertId } = await run(`${long}; market(sell, 0.015)`)
    await run('wait(1)')
    expect(await open()).toEqual([`t${alertId}00101`])
  })
})

describe('an executor that dies between a close and the end of the exits of the position', () => {
  const on = cuttableRigOfTest()
  const { run, pin, rest } = hands(() => on.rig)

  test('leaves that to its successor, before the next position is opened', async () => {
    await on.rig.startHistory()
    await on.rig.startExecutor({
      ...on.byLink(),
      ...withVenues((venue) => ({
        place: async (order, onSent) => {
          const placement = await venue.place(order, onSent)
          if (order.type === 'market' && order.side === 'sell') on.way.cut()
          return placement
        },
      })),
    })
    await pin('60000')
    const long = 'market(buy, 0.02); oco { stop(sell, 100%p, 58000); limit(sell, 100%p, 62000) }'
    const first = await run(long)
    const closing = await on.rig.send('MyBot(BTCUSDT) { market(position=0) }')
    const second = await on.rig.send(`MyBot(BTCUSDT) { ${long} }`)
    await waitFor(async () => (await on.accepted()).includes('SELL 00000'))
    await rest(`t${first.alertId}00100`, `t${first.alertId}00110`)
    await on.rig.startExecutor()
    expect(await on.rig.resultOf(closing)).toMatchObject({
      executions: [{ commands: [{ result: { ended: [{ execution_id: `${first.alertId}-0` }] } }] }],
    })
    await on.rig.resultOf(second)
    await rest(`t${second}00100`, `t${second}00110`)
  })

  test('or where it dies as somebody closes by hand', async () => {
    const executor = await on.rig.startExecutor()
    await pin('60000')
    await run('market(buy, 0.02); oco { stop(sell, 100%p, 58000); limit(sell, 100%p, 62000) }')
    await executor.stop()
    await closeByHand(on.rig, 'binance')
    await on.rig.startExecutor()
    await rest()
  })
})
