import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { AlertResult } from '@tripline/proto/alert'
import { isZero, subtract } from '@tripline/proto/decimal'
import type { BotConfig } from '@tripline/proto/user-config'
import { waitFor } from '@tripline/testkit/wait-for'
import { buildRig, type Rig } from './rig.ts'

type BotMarket = Pick<BotConfig, 'exchange' | 'marketType'>

const places: BotMarket[] = [
  { exchange: 'paper', marketType: 'futures' },
  { exchange: 'binance', marketType: 'futures_usdt' },
  { exchange: 'bybit', marketType: 'futures' },
]

/** Commands, the orders that the exchange is sent for them, the position afterwards, and how many orders are open. */
type Cell = readonly [commands: string, sent: string[], position: string[], open: number]

/** A command, the code by which it fails, and what the exchange refused where we did not. */
type Refusal = readonly [command: string, code: string, refused?: string]

interface Start {
  name: string
  /** Leads to it from flat. */
  entry: string
  cells: readonly Cell[]
  refusals?: readonly Refusal[]
}

const oneWay: Start[] = [
  {
    name: 'long',
    entry: 'market(buy, 0.02)',
    cells: [
      ['market(sell, 50%)', ['sell 0.01'], ['net 0.01'], 0],
      ['market(sell, 300%)', ['sell 0.02'], [], 0],
      ['market(buy, 0.01)', ['buy 0.01'], ['net 0.03'], 0],
      ['market(position=-0.01)', ['sell 0.03'], ['net -0.01'], 0],
      ['limit(sell, 100%, 62000)', ['sell 0.02'], ['net 0.02'], 1],
      ['limit(sell, 100%, 62000); cancel(sell)', ['sell 0.02'], ['net 0.02'], 0],
      ['stop(sell, 100%, 58000)', ['sell 0.02'], ['net 0.02'], 1],
      ['sltp(amount=50%p, sl=2%, tp=3%)', ['sell 0.01', 'sell 0.01'], ['net 0.02'], 2],
      [
        'oco { limit(sell, 100%, 62000); stop(sell, 50%, 58000) }',
        ['sell 0.01', 'sell 0.02'],
        ['net 0.02'],
        2,
      ],
      ['wait(0.1); balance', [], ['net 0.02'], 0],
    ],
    refusals: [
      ['stop(sell, 100%, 61000)', 'E507'],
      ['market(buy, 0.01, reduceOnly=true)', 'E510', 'buy 0.01 refused'],
      ['exchangeSettings(positionMode=hedge)', 'E405'],
      ['market(sell, 0.01, positionSide=long)', 'E405'],
    ],
  },
  {
    name: 'short',
    entry: 'market(sell, 0.02)',
    cells: [
      ['market(buy, 50%)', ['buy 0.01'], ['net -0.01'], 0],
      ['market(position=0)', ['buy 0.02'], [], 0],
      ['market(position=0.01)', ['buy 0.03'], ['net 0.01'], 0],
      ['limit(buy, 100%, 58000)', ['buy 0.02'], ['net -0.02'], 1],
      ['stop(buy, 100%p, e2%)', ['buy 0.02'], ['net -0.02'], 1],
      ['sltp(amount=100%p, sl=2%, tp=3%)', ['buy 0.02', 'buy 0.02'], ['net -0.02'], 2],
      ['oco { stop(buy, 100%, 62000); limit(buy, 100%, 58000) }', ['buy 0.02', 'buy 0.02'], ['net -0.02'], 2],
    ],
    refusals: [['stop(buy, 100%, 59000)', 'E507']],
  },
  {
    name: 'flat',
    entry: 'cancel',
    cells: [
      ['market(sell, 50%p)', [], [], 0],
      ['market(position=0)', [], [], 0],
      ['market(sell, 0.01)', ['sell 0.01'], ['net -0.01'], 0],
      ['stop(buy, 0.01, 61000)', ['buy 0.01'], [], 1],
    ],
    refusals: [
      ['limit(buy, 1, e1%)', 'E512'],
      ['sltp(amount=100%p, sl=58000)', 'E505'],
      ['oco { stop(sell, 100%p, 58000); limit(sell, 100%p, 62000) }', 'E505'],
    ],
  },
]

const hedge: Start[] = [
  {
    name: 'long and short',
    entry: 'market(buy, 0.02, positionSide=long); market(sell, 0.03, positionSide=short)',
    cells: [
      ['market(sell, 50%, positionSide=long)', ['sell 0.01'], ['long 0.01', 'short -0.03'], 0],
      ['market(position=0, positionSide=short)', ['buy 0.03'], ['long 0.02'], 0],
      ['market(buy, 0.01, positionSide=long)', ['buy 0.01'], ['long 0.03', 'short -0.03'], 0],
      ['limit(buy, 100%p, 58000, positionSide=short)', ['buy 0.03'], ['long 0.02', 'short -0.03'], 1],
      ['stop(sell, 100%p, e2%, positionSide=long)', ['sell 0.02'], ['long 0.02', 'short -0.03'], 1],
      [
        'sltp(amount=100%p, sl=2%, tp=3%, positionSide=short)',
        ['buy 0.03', 'buy 0.03'],
        ['long 0.02', 'short -0.03'],
        2,
      ],
      [
        'oco { stop(sell, 100%p, 58000, positionSide=long); limit(sell, 100%p, 62000, positionSide=long) }',
        ['sell 0.02', 'sell 0.02'],
        ['long 0.02', 'short -0.03'],
        2,
      ],
    ],
    refusals: [
      ['market(buy, 0.01)', 'E405', 'buy 0.01 refused'],
      ['market(position=-0.01, positionSide=long)', 'E405'],
    ],
  },
  {
    name: 'flat',
    entry: 'cancel',
    cells: [
      ['market(sell, 0.01, positionSide=short)', ['sell 0.01'], ['short -0.01'], 0],
      ['market(sell, 50%p, positionSide=long)', [], [], 0],
    ],
  },
]

describe.each(places)('on $exchange $marketType', (place) => {
  describe.each([
    ['oneWay', oneWay],
    ['hedge', hedge],
  ] as const)('in %s mode', (mode, starts) => {
    let rig: Rig
    const run = async (commands: string): Promise<AlertResult> =>
      await rig.resultOf(await rig.send(`MyBot(BTCUSDT) { ${commands} }`))
    const closing =
      mode === 'oneWay'
        ? 'cancel; market(position=0)'
        : 'cancel; market(position=0, positionSide=long); market(position=0, positionSide=short)'

    /** Returns an act's orders, sizes without trailing zeros. */
    async function sentBy(act: () => Promise<unknown>): Promise<string[]> {
      const before = (await rig.paper.journal()).length
      await act()
      const requests = (await rig.paper.journal()).slice(before)
      return requests.flatMap(({ op, side, quantity, outcome }) =>
        op === 'place'
          ? [
              `${side?.toLowerCase()} ${subtract(quantity ?? '0', '0')}${outcome === 'accepted' ? '' : ' refused'}`,
            ]
          : [],
      )
    }

    async function positions(): Promise<string[]> {
      const { positions: held } = await rig.account()
      return held
        .filter(({ quantity }) => !isZero(quantity))
        .map(({ side, quantity }) => `${side.toLowerCase()} ${subtract(quantity, '0')}`)
        .toSorted()
    }

    beforeAll(async () => {
      rig = await buildRig({ bot: place, balances: { USDT: '100000' } })
      await rig.startExecutor()
      await rig.paper.pinPrices('BTCUSDT', { bid: '59999.9', ask: '60000.1', mark: '60000' })
      if (mode === 'hedge') await run('exchangeSettings(positionMode=hedge)')
    })
    afterAll(async () => await rig.stop())

    describe.each(starts)('$name', ({ entry, cells, refusals = [] }) => {
      beforeEach(async () => {
        expect(await run(`${closing}; ${entry}`)).toMatchObject({ status: 'success' })
      })

      test.each(cells)('%s', async (commands, sent, position, open) => {
        let result: AlertResult | undefined
        const requests = await sentBy(async () => {
          result = await run(commands)
        })
        expect(result).toMatchObject({ status: 'success' })
        expect(requests).toEqual(sent)
        await waitFor(async () => (await rig.account()).openOrders.length === open)
        expect(await positions()).toEqual(position)
      })

      if (refusals.length === 0) return
      const rows = refusals.map(([command, errorCode, refused]) => ({ command, errorCode, refused }))
      test.each(rows)('$command is refused: $errorCode', async ({ command, errorCode, refused }) => {
        let result: AlertResult | undefined
        const requests = await sentBy(async () => {
          result = await run(command)
        })
        expect(result).toMatchObject({ executions: [{ commands: [{ status: 'failed', errorCode }] }] })
        expect(requests).toEqual(refused === undefined ? [] : [refused])
      })
    })
  })
})
