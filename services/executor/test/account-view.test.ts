import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { multiply, negate, plain } from '@tripline/proto/decimal'
import type { BotConfig } from '@tripline/proto/user-config'
import { waitFor } from '@tripline/testkit/wait-for'
import { countedConnections } from './counted-connections.ts'
import { buildRig, type Rig } from './rig.ts'

type ReadMarket = Pick<BotConfig, 'exchange' | 'marketType'> & { paths: readonly string[] }

const places: ReadMarket[] = [
  { exchange: 'paper', marketType: 'futures', paths: ['/fapi/v3/'] },
  { exchange: 'bybit', marketType: 'futures', paths: ['/v5/account/wallet-balance', 'settleCoin='] },
]

describe.each(places)('at $exchange', ({ paths, ...bot }) => {
  const connections = countedConnections()
  let rig: Rig
  beforeAll(async () => {
    rig = await buildRig({ bot })
    await rig.startExecutor({ connections })
  })
  afterAll(async () => await rig.stop())
  beforeEach(async () => {
    await rig.paper.clearFaults()
    await rig.paper.pinPrices('BTCUSDT', { bid: '59999.9', ask: '60000.1', mark: '60000' })
  })

  const timesAsked = (): number =>
    connections.asked.filter((path) => paths.some((one) => path.includes(one))).length

  /** Runs one command; returns what the position is then. */
  async function run(command: string): Promise<string> {
    const result = await rig.resultOf(await rig.send(`MyBot(BTCUSDT) { ${command} }`))
    expect(result).toMatchObject({ outcome: 'executed', status: 'success' })
    const { positions } = await rig.account()
    const [held] = positions
    const quantity = plain(held?.quantity ?? '0')
    return held?.side.toLowerCase() === 'short' ? negate(quantity) : quantity
  }

  /** Brings the position there, and settles once a command asks the account nothing. */
  async function untilKnown(target: string): Promise<void> {
    await waitFor(async () => {
      const before = timesAsked()
      await rig.resultOf(await rig.send(`MyBot(BTCUSDT) { market(position=${target}) }`))
      return timesAsked() === before
    })
  }

  test('commands on a position ask the account nothing once it is known', async () => {
    let target = '0.05'
    // A round begins with a known account: one that lost it, such as by a late event, trades too often to learn it again.
    await waitFor(async () => {
      await untilKnown(target)
      const before = timesAsked()
      target = target === '0.05' ? '0.02' : '0.05'
      expect(await run(`market(position=${target})`)).toBe(target)
      return timesAsked() === before
    })
    await waitFor(async () => {
      await untilKnown(target)
      expect(await run('market(buy, 100%p)')).toBe(multiply('2', target))
      const before = timesAsked()
      expect(await run('market(position=0)')).toBe('0')
      return timesAsked() === before
    })
  })

  test('a command is right of a position that its stream does not report', async () => {
    expect(await run('market(position=0.06)')).toBe('0.06')
    await untilKnown('0.06')
    await rig.paper.addFault({ match: { apiKey: rig.credentials.apiKey }, action: 'silent-stream' })
    for (const target of ['0.02', '0.07', '-0.03', '0'])
      expect(await run(`market(position=${target})`)).toBe(target)
  })

  test('commands that follow one another in a block are each sized on the position that the one before left', async () => {
    for (let turn = 0; turn < 5; turn++) {
      expect(await run('market(position=0.04); market(sell, 50%p); market(sell, 50%p)')).toBe('0.01')
      expect(await run('market(buy, 100%p); market(position=0)')).toBe('0')
    }
  })
})
