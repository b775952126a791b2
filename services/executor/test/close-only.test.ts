import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from '@jest/globals'
import { now } from '@tripline/kit/time/clock'
import { AlertMessage, type AlertResult, StoredAlert, storedAlertOf } from '@tripline/proto/alert'
import type { AlertId, BotId } from '@tripline/proto/id'
import { readMessage } from '@tripline/proto/language/read-message'
import { waitFor } from '@tripline/testkit/wait-for'
import { runningRig } from './rig-of-test.ts'

const rig = runningRig()

async function run(commands: string, more: Partial<AlertMessage> = {}): Promise<AlertResult> {
  return await rig.resultOf(await rig.send(`MyBot(BTCUSDT) { ${commands} }`, more))
}

/** Returns the status of each command, or the code of its failure. */
function endsOf(result: AlertResult): string[] {
  if (result.outcome === 'refused') return result.diagnostics.map(({ code }) => code)
  return result.executions.flatMap(({ commands }) =>
    commands.map(({ status, errorCode }) => errorCode ?? status),
  )
}

/** Runs commands as their owner; returns their ends. */
const asOwner = async (commands: string): Promise<string[]> => endsOf(await run(commands))
/** The same at the close-only address of the bot. */
const atCloseOnly = async (commands: string): Promise<string[]> =>
  endsOf(await run(commands, { isCloseOnly: true }))

async function held(): Promise<string> {
  const { positions } = await rig.account()
  return positions.map(({ quantity }) => quantity).join()
}

async function open(): Promise<string[]> {
  const { openOrders } = await rig.account()
  return openOrders
    .map(({ side, type, reduceOnly }) => `${side} ${type} ${reduceOnly ? 'closes' : 'opens'}`.toLowerCase())
    .toSorted()
}

beforeEach(async () => {
  await rig.paper.pinPrices('BTCUSDT', { bid: '59999.9', ask: '60000.1', mark: '60000' })
  await asOwner('cancel; market(position=0)')
})

describe('an alert of a close-only address', () => {
  const protectedLong =
    'market(buy, 0.02); stop(sell, 0.02, 58000); limit(sell, 0.01, 62000, reduceOnly=true); limit(buy, 0.01, 58500)'

  test('closes, and its cancel takes the resting entry and leaves protective orders', async () => {
    await asOwner(protectedLong)
    expect(await open()).toHaveLength(3)
    expect(await atCloseOnly('cancel; market(sell, 50%p)')).toEqual(['success', 'success'])
    expect(await held()).toBe('0.01')
    expect((await open()).every((order) => order.startsWith('sell') && order.endsWith('closes'))).toBe(true)
    expect(await open()).toHaveLength(2)
    expect(await atCloseOnly('market(position=0)')).toEqual(['success'])
    expect(await held()).toBe('')
  })

  test.each([
    'market(buy, 0.01)',
    'market(buy, 100%b)',
    'market(sell, 0.5)',
    'market(position=-0.02)',
    'market(position=0.5)',
    'limit(buy, 0.01, 59000)',
    'limit(sell, 0.5, 61000)',
    'stop(buy, 0.01, 61000)',
    'stop(sell, 0.5, 59000)',
    'sltp(buy, 0.01, sl=61000)',
    'sltp(amount=900%p, sl=59000, tp=61000)',
    'oco { stop(buy, 0.01, 61000); limit(buy, 0.01, 59000) }',
    'oco { stop(sell, 0.5, 59000); limit(sell, 0.5, 61000) }',
    'cancel',
    'cancel(stop)',
    'cancel(sell)',
    'balance',
    'wait(0.1)',
    'settings(leverage=50)',
    'settings(positionMode=hedge)',
    'market(buy, 0.01, reduceOnly=false)',
  ])('leaves an account that opens, flips or adds nothing, and keeps its stop: %s', async (commands) => {
    await asOwner('market(buy, 0.02); stop(sell, 0.02, 57000)')
    const stop = (await rig.account()).openOrders.map(({ venueOrderId }) => venueOrderId)
    await atCloseOnly(commands)
    // Resting orders get their chance.
    await rig.paper.pinPrices('BTCUSDT', { bid: '61999.9', ask: '62000.1', mark: '62000' })
    await rig.paper.pinPrices('BTCUSDT', { bid: '57999.9', ask: '58000.1', mark: '58000' })
    expect(['0.02', '']).toContain(await held())
    const { openOrders } = await rig.account()
    if ((await held()) !== '')
      expect(openOrders.map(({ venueOrderId }) => venueOrderId)).toEqual(expect.arrayContaining(stop))
    expect((await open()).filter((order) => order.endsWith('opens'))).toEqual([])
  })

  test.each(['balance', 'wait(0.1)', 'settings(leverage=50)', 'market(buy, 0.01, reduceOnly=false)'])(
    'is refused as a whole with %s, before anything of it runs',
    async (command) => {
      await asOwner('market(buy, 0.01)')
      expect(await atCloseOnly(`market(position=0); ${command}`)).toEqual(['E407'])
      expect(await held()).toBe('0.01')
    },
  )

  test('shows that in its events', async () => {
    const alertId = await rig.send('MyBot(BTCUSDT) { market(position=0) }', { isCloseOnly: true })
    const [received] = await rig.eventsOf(alertId, 'execution.finished')
    expect(received).toMatchObject({ kind: 'execution.received', isCloseOnly: true })
    const refused = await rig.send('MyBot(BTCUSDT) { balance }', { isCloseOnly: true })
    expect(await rig.eventsOf(refused, 'alert.refused')).toMatchObject([
      { errorCode: 'E407', isCloseOnly: true },
    ])
  })

  test('closes for a bot that only reduces, and does nothing for one that is halted', async () => {
    await asOwner('market(buy, 0.02)')
    await rig.configure({ tradingState: 'reducing' })
    await waitFor(async () => (await asOwner('market(buy, 0.01)'))[0] === 'E516')
    expect(await atCloseOnly('market(sell, 0.01)')).toEqual(['success'])
    await rig.configure({ tradingState: 'halted' })
    await waitFor(async () => (await asOwner('market(sell, 0.01)'))[0] === 'E516')
    expect(await atCloseOnly('market(position=0)')).toEqual(['E516'])
    await rig.configure({})
    await waitFor(async () => (await asOwner('balance'))[0] === 'success')
    expect(await held()).toBe('0.01')
  })
})

test('an executor of a version without close-only addresses refuses such an alert', async () => {
  const message = 'MyBot(BTCUSDT) { market(buy, 0.01) }'
  const { blocks } = readMessage(message, [{ label: 'MyBot', market: 'futures' }])
  const botId = randomUUID() as BotId
  const stored = storedAlertOf({
    alertId: '01ARZ3NDEKTSV4RRFFQ69G5FAV' as AlertId,
    userId: rig.userId,
    message,
    blocks: blocks.map((block) => ({ ...block, botId })),
    isFirst: true,
    receivedAt: now(),
    readAt: now(),
    isCloseOnly: true,
  })
  expect(StoredAlert.parse(stored)).toMatchObject({ isCloseOnly: true, blocks: [{ botId }] })
  // Such a version reads these fields and drops the others.
  const asItReads = AlertMessage.parse(stored)
  expect(Object.keys(asItReads)).not.toContain('closeOnlyBotId')
  const before = await rig.paper.journal()
  const result = await rig.resultOf(await rig.send(message, { blocks: asItReads.blocks }))
  expect(endsOf(result)).toEqual(['E404'])
  expect(await rig.paper.journal()).toEqual(before)
})
