import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { HttpService } from '@tripline/kit/lifecycle'
import { isZero } from '@tripline/proto/decimal'
import type { AlertId } from '@tripline/proto/id'
import { waitFor } from '@tripline/testkit/wait-for'
import { closeByHand } from './close-by-hand.ts'
import { buildRig, type Rig } from './rig.ts'
import { runCommands } from './run-commands.ts'

const atEntry = { bid: '59999.9', ask: '60000', mark: '60000' }
const atLoss = { bid: '57999', ask: '57999.1', mark: '57999' }

interface BotPlace {
  exchange: 'paper' | 'binance' | 'bybit'
  marketType: 'futures' | 'futures_usdt'
  /** The position side in a command of a long. */
  long: string
}

const places: BotPlace[] = [
  { exchange: 'binance', marketType: 'futures_usdt', long: '' },
  { exchange: 'binance', marketType: 'futures_usdt', long: ', positionSide=long' },
  { exchange: 'bybit', marketType: 'futures', long: '' },
]

describe.each(places)('at $exchange$long', ({ exchange, marketType, long }) => {
  let rig: Rig
  let executor: HttpService
  beforeAll(async () => {
    rig = await buildRig({ bot: { exchange, marketType }, balances: { USDT: '100000' } })
    await rig.paper.pinPrices('BTCUSDT', atEntry)
    executor = await rig.startExecutor()
    if (long !== '') await run('exchangeSettings(positionMode=hedge)')
  })
  afterAll(async () => await rig.stop())
  beforeEach(async () => {
    await rig.paper.pinPrices('BTCUSDT', atEntry)
    await run(`cancel; market(position=0${long})`)
    // Ends any entry from before.
    await run(`market(buy, 1%b${long})`)
    await run(`market(position=0${long})`)
    await run(`market(sell, 100%${long})`)
  })

  const run = async (commands: string) => await runCommands(rig, commands)

  async function held(): Promise<string[]> {
    return (await rig.account()).positions.map(({ quantity }) => quantity).filter((each) => !isZero(each))
  }

  /** Enters with a stop, once the executor received the price; settles with the alert. */
  async function enter(): Promise<AlertId> {
    const { entered, result } = await waitFor(async () => {
      const entered = await rig.send(
        `MyBot(BTCUSDT) { market(buy, 10%${long}); stop(sell, 100%, 58000${long}) }`,
      )
      const result = await rig.resultOf(entered)
      // By the price of before, the stop would trigger at once.
      return JSON.stringify(result).includes('E507') ? undefined : { entered, result }
    })
    expect(result).toMatchObject({ status: 'success' })
    return entered
  }

  /** Enters, and has the stop behind the entry fill; settles once its fill is known. */
  async function stopOut(): Promise<void> {
    const entered = await enter()
    await rig.paper.pinPrices('BTCUSDT', atLoss)
    await rig.eventsOf(entered, 'order.filled')
    expect(await held()).toEqual([])
    await waitFor(async () => (await rig.watched()).length === 0)
    await rig.paper.pinPrices('BTCUSDT', atEntry)
  }

  const nothing = { status: 'success', result: { code: 'N804' } }

  test('a late exit places nothing and says why, and the command behind it opens again', async () => {
    await stopOut()
    const before = (await rig.paper.journal()).length
    const [late] = await run(`market(sell, 100%${long})`)
    expect(late).toMatchObject({
      status: 'success',
      result: { code: 'N804', note: 'nothing to close: the long of BTCUSDT was closed by its stop at 58000' },
    })
    expect((await rig.paper.journal()).slice(before)).toEqual([])
    const [again] = await run(long === '' ? 'market(sell, 10%)' : 'market(buy, 10%, positionSide=long)')
    expect(again).toMatchObject({ status: 'success', result: { side: long === '' ? 'sell' : 'buy' } })
    expect(await held()).toHaveLength(1)
  })

  test('a late limit, stop and group place nothing', async () => {
    await stopOut()
    const group = `oco { stop(sell, 100%, 58000${long}); limit(sell, 100%, 62000${long}) }`
    for (const late of [`limit(sell, 100%, 62000${long})`, `stop(sell, 100%, 58000${long})`, group]) {
      await stopOut()
      expect(await run(late)).toMatchObject([nothing])
    }
    expect((await rig.account()).openOrders).toEqual([])
  })

  test('the exit behind a wait closes nothing that a later message entered', async () => {
    const waiting = await rig.send(
      `MyBot(BTCUSDT) { market(buy, 10%${long}); wait(4s); market(sell, 100%${long}) }`,
    )
    await waitFor(async () => (await held()).length > 0)
    await run(long === '' ? 'market(position=-10%)' : `market(position=0${long})`)
    const before = await held()
    expect(await rig.resultOf(waiting)).toMatchObject({
      executions: [{ commands: [{ status: 'success' }, { status: 'success' }, nothing] }],
    })
    expect(await held()).toEqual(before)
  })

  test('a successor knows of the entry and of the order that closed it', async () => {
    await stopOut()
    await executor.stop()
    executor = await rig.startExecutor()
    expect(await run(`market(sell, 100%${long})`)).toMatchObject([
      { status: 'success', result: { note: expect.stringContaining('its stop at 58000') } },
    ])
    expect(await held()).toEqual([])
  })

  test('a stop that fills while nobody is there is known all the same', async () => {
    await run(`market(buy, 10%${long}); stop(sell, 100%, 58000${long})`)
    await executor.stop()
    await rig.paper.pinPrices('BTCUSDT', atLoss)
    await waitFor(async () => (await held()).length === 0)
    executor = await rig.startExecutor()
    await rig.paper.pinPrices('BTCUSDT', atEntry)
    expect(await run(`market(sell, 100%${long})`)).toMatchObject([nothing])
    expect(await held()).toEqual([])
  })

  test('a position that was closed by hand is closed elsewhere', async () => {
    if (long !== '') return
    await run('market(buy, 10%)')
    await closeByHand(rig, exchange)
    expect(await run('market(sell, 100%)')).toMatchObject([
      {
        result: {
          code: 'N804',
          note: expect.stringContaining('closed elsewhere, by hand or by the exchange'),
        },
      },
    ])
    expect(await held()).toEqual([])
  })

  test('a block that closes any position opens behind that', async () => {
    await stopOut()
    const [closed, opened] = await run(`market(position=0${long}); market(buy, 10%${long})`)
    expect([closed?.result, opened?.result]).toMatchObject([{ code: 'N802' }, { side: 'buy' }])
    const [, turned] = await run(`market(position=0${long}); market(sell, 10%${long})`)
    if (long === '') expect(turned).toMatchObject({ status: 'success', result: { side: 'sell' } })
    else
      expect(turned).toMatchObject({
        status: 'success',
        result: { note: 'nothing to close: there is no long of BTCUSDT' },
      })
  })
})
