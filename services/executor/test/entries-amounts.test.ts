import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { isZero } from '@tripline/proto/decimal'
import { waitFor } from '@tripline/testkit/wait-for'
import type { Venue } from '../src/venue/venue.ts'
import { closeByHand } from './close-by-hand.ts'
import { buildRig, type Rig } from './rig.ts'
import { runCommands } from './run-commands.ts'
import { withVenues } from './with-venues.ts'

const atEntry = { bid: '59999.9', ask: '60000', mark: '60000' }
const atLoss = { bid: '62001', ask: '62001.1', mark: '62001' }

describe.each([
  { exchange: 'binance', marketType: 'futures_usdt' },
  { exchange: 'bybit', marketType: 'futures' },
] as const)('a long closed by hand at $exchange', ({ exchange, marketType }) => {
  let rig: Rig
  let opened: Venue
  beforeAll(async () => {
    rig = await buildRig({ bot: { exchange, marketType }, balances: { USDT: '100000' } })
    await rig.paper.pinPrices('BTCUSDT', atEntry)
    await rig.startExecutor(
      withVenues((venue) => {
        opened = venue
        return {}
      }),
    )
  })
  afterAll(async () => await rig.stop())
  beforeEach(async () => {
    await rig.paper.pinPrices('BTCUSDT', atEntry)
    await run('cancel; market(position=0)')
    await untilFlat()
    await run('market(buy, 0.01)')
    await closeByHand(rig, exchange)
    expect(await held()).toEqual([])
    await untilFlat()
  })

  const run = async (commands: string) => await runCommands(rig, commands)

  /** Settles once the executor knows, by the private stream, that nothing is held. */
  async function untilFlat(): Promise<void> {
    await waitFor(() => opened.isFlatNow?.('BTCUSDT'))
  }

  async function held(): Promise<string[]> {
    return (await rig.account()).positions.map(({ quantity }) => quantity).filter((each) => !isZero(each))
  }

  test('is not closed by a later sale of an amount, which is an entry that a plain percent adds to', async () => {
    await run('market(sell, 0.01)')
    expect(await run('market(sell, 10%)')).toMatchObject([{ status: 'success', result: { side: 'sell' } }])
    expect(await held()).not.toEqual(['-0.01'])
  })

  test('leaves a late exit of the short that came behind it an exit', async () => {
    const entered = await rig.send('MyBot(BTCUSDT) { market(sell, 0.01); stop(buy, 100%p, 62000) }')
    expect(await rig.resultOf(entered)).toMatchObject({ status: 'success' })
    await rig.paper.pinPrices('BTCUSDT', atLoss)
    await rig.eventsOf(entered, 'order.filled')
    await waitFor(async () => (await rig.watched()).length === 0)
    const late = await run('market(buy, 100%)')
    expect(await held()).toEqual([])
    expect(late).toMatchObject([{ status: 'success', result: { code: 'N804' } }])
  })

  test.each([
    'limit(sell, 50%, 61000); limit(sell, 50%, 62000)',
    'limit(sell, 50%, 61000); market(sell, 100%)',
    'market(sell, 50%); market(sell, 50%)',
  ])('leaves all exits of one late block exits: %s', async (block) => {
    const nothing = { status: 'success', result: { code: 'N804' } }
    expect(await run(block)).toMatchObject(block.split('; ').map(() => nothing))
    expect((await rig.account()).openOrders).toEqual([])
  })

  test('is turned by the block that would have closed it and opens behind that', async () => {
    const [closed, opened] = await run('market(sell, 100%); market(sell, 50%)')
    expect([closed, opened]).toMatchObject([
      { status: 'success', result: { code: 'N804' } },
      { status: 'success', result: { side: 'sell' } },
    ])
    expect(await held()).not.toEqual([])
  })
})
