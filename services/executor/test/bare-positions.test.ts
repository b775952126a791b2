import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { HttpService } from '@tripline/kit/lifecycle'
import type { AlertId } from '@tripline/proto/id'
import { testLog } from '@tripline/testkit/log'
import { waitFor } from '@tripline/testkit/wait-for'
import { openBinanceFutures } from '../src/venue/binance/futures.ts'
import { openBinanceSpot } from '../src/venue/binance/spot.ts'
import { openConnections } from '../src/venue/connections.ts'
import { heldForEver } from './held.ts'
import { buildRig, type Rig, type RigSettings } from './rig.ts'

let rig: Rig
let executor: HttpService
async function begin(settings: RigSettings = {}): Promise<void> {
  rig = await buildRig(settings)
  await rig.paper.pinPrices('BTCUSDT', { bid: '59999.9', ask: '60000.1', last: '60000', mark: '60000' })
  executor = await rig.startExecutor()
}
afterEach(async () => await rig.stop())

const protectedEntry = 'market(buy, 0.02); stop(sell, 100%, 58000)'
const pairedEntry = 'market(buy, 0.02); oco { stop(sell, 100%, 58000); limit(sell, 100%, 63000) }'

async function run(commands: string): Promise<AlertId> {
  const alertId = await rig.send(`MyBot(BTCUSDT) { ${commands} }`)
  await rig.resultOf(alertId)
  return alertId
}

async function cancelByHand(clientOrderId: string, isSpot = false): Promise<void> {
  const endpoint = isSpot ? 'binance' : 'binance-futures'
  const connections = openConnections()
  try {
    const { venue, stop } = await (isSpot ? openBinanceSpot : openBinanceFutures)({
      baseUrl: `${rig.paper.url}/${endpoint}`,
      streamUrl: `${rig.paper.url}/${endpoint}`.replace('http', 'ws'),
      credentials: rig.credentials,
      connections,
      parent: undefined,
      tenure: heldForEver,
      log: testLog('by-hand'),
    })
    const { outcome } = await venue.cancel({ symbol: 'BTCUSDT', clientOrderId, isConditional: !isSpot })
    expect(outcome).toBe('canceled')
    stop?.()
  } finally {
    await connections.close()
  }
}

/** Returns the counts of positions without a stop: open ones, and those that may be open. */
async function bare(): Promise<{ open: number; unknown: number }> {
  const text = await (await fetch(`http://127.0.0.1:${executor.port}/metrics`)).text()
  const of = (position: string): number => {
    const line = new RegExp(`^tripline_watches_without_stop\\{.*position="${position}".*\\} (\\S+)$`, 'm')
    return Number(line.exec(text)?.[1])
  }
  return { open: of('open'), unknown: of('unknown') }
}

const bareIs = async (open: number): Promise<unknown> =>
  await waitFor(async () => {
    const counted = await bare()
    return counted.open === open && counted.unknown === 0
  })

describe('a position without the stop that was ordered for it is shown in the metrics', () => {
  beforeEach(async () => await begin())

  test('once its stop is canceled by hand, until it is closed', async () => {
    const alertId = await run(protectedEntry)
    await bareIs(0)
    await cancelByHand(`t${alertId}00100`)
    await bareIs(1)
    await run('market(position=0)')
    await bareIs(0)
  })

  test('also while another order of its group stays', async () => {
    const alertId = await run(pairedEntry)
    await bareIs(0)
    await cancelByHand(`t${alertId}00100`)
    await bareIs(1)
    expect((await rig.account()).openOrders).toHaveLength(1)
  })

  test('once its stop is refused, until another one stands', async () => {
    const match = { path: '/fapi/v1/algoOrder', method: 'POST' }
    await rig.paper.addFault({ match, action: 'reject', code: -2021, count: 1 })
    await run(protectedEntry)
    await bareIs(1)
    await run('stop(sell, 100%p, 58000)')
    await bareIs(0)
    expect((await rig.account()).positions).toHaveLength(1)
  })

  test('not where a message cancels its stop, nor where the stop closes it', async () => {
    await run(protectedEntry)
    await run('cancel')
    await waitFor(async () => (await rig.watched()).length === 0)
    expect(await bare()).toMatchObject({ open: 0 })
    await run('stop(sell, 100%p, 58000)')
    await rig.paper.pinPrices('BTCUSDT', { bid: '57999', ask: '57999.1', last: '57999', mark: '57999' })
    await waitFor(async () => (await rig.account()).positions.length === 0)
    await bareIs(0)
  })
})

describe('coins without the stop that was ordered for them are shown in the metrics', () => {
  beforeEach(async () => {
    await begin({ bot: { marketType: 'spot' }, balances: { USDT: '100000', BTC: '1' } })
  })

  const spotEntry = 'market(buy, 0.02); stop(sell, 0.0199, 58000)'
  const spotPair = 'market(buy, 0.02); oco { stop(sell, 0.0199, 58000); limit(sell, 0.0199, 63000) }'

  test.each([
    ['a stop', spotEntry],
    ['a pair', spotPair],
  ])('once %s is canceled by hand, until as many are sold', async (_name, commands) => {
    const alertId = await run(commands)
    await bareIs(0)
    await cancelByHand(`t${alertId}00100`, true)
    await bareIs(1)
    await run('market(sell, 0.01)')
    await bareIs(1)
    await run('market(sell, 0.0099)')
    await bareIs(0)
  })

  test('once their stop is refused, until another one stands', async () => {
    // Orders behind a wait are not judged before the entry.
    await run('market(buy, 0.02); wait(100ms); stop(sell, 0.0199, 61000)')
    await bareIs(1)
    await run('stop(sell, 0.0199, 58000)')
    await bareIs(0)
  })

  test('not where a message cancels it', async () => {
    await run(spotEntry)
    await run('cancel')
    await waitFor(async () => (await rig.watched()).length === 0)
    expect(await bare()).toMatchObject({ open: 0 })
  })
})
